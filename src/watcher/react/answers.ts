/** The affected request was answered after all: what that makes of its case. */

import { type Case, streamOf } from '../case.ts';
import type { Docket } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import { lostOn, type Weight } from '../ledger/stream.ts';
import { isOnLiveStream, type OccasionKind } from '../occasion.ts';
import type { Outcome } from '../report.ts';
import { afterMs } from '../timing.ts';
import { isAbandoned } from './anew.ts';

/** Wrong order, gaps and strangers: with these something that was lost was there to be noticed. */
const cursorKinds: readonly OccasionKind[] = [
  'resumed-lower',
  'resumed-gap',
  'resumed-other-epoch',
  'resumed-foreign',
  'resumed-fresh',
  'resumed-again',
  'resumed-out-of-order',
  'resumed-silent',
  'resumed-other-content',
  'resumed-seamless',
];

export function reactToAnswers(told: Happening, docket: Docket): void {
  if (told.type === 'calls') {
    for (const one of docket.openIn(told.exchange.session)) if (isUntaken(one)) takeAnswer(one, docket);
    return;
  }
  if (told.type === 'answered') {
    const { call, answer } = told;
    for (const one of docket.open()) if (one.reissue === call) settleReissued(one, docket);
    refineReissued(told, docket);
    const one = docket.ofCall(call);
    if (one === undefined || one.settled !== undefined) return;
    if (!one.visible) docket.drop(one);
    // An event may still be lost in a reset: the end of its leg decides.
    else if (answer.exchange.leg === undefined) settleAnswered(one, docket);
    return;
  }
  if (told.type !== 'ended') return;
  const { leg } = told.exchange;
  for (const call of leg?.stream.calls ?? []) {
    const one = docket.ofCall(call);
    if (call.answer?.exchange === told.exchange && one !== undefined) settleAnswered(one, docket);
  }
}

/**
 * The answer was there, behind ids that were wrong: all of it in one write, perhaps, of which a client that
 * looks at ids takes the first event and no more. What it does next shows whether it took the answer.
 */
export function isUntaken(one: Case): boolean {
  const { kind } = one.occasion;
  const wrong = cursorKinds.includes(kind) || (isOnLiveStream(kind) && kind !== 'left-out');
  return one.settled === undefined && one.call?.answer !== undefined && wrong;
}

/** It went on as if nothing had been lost. */
export function takeAnswer(one: Case, docket: Docket): void {
  settleAnswered(one, docket, true, true);
}

/** The answer was shown for sure. `isLastWord`: nothing that follows can show that it was not taken; `wentOn`: it was. */
export function settleAnswered(one: Case, docket: Docket, isLastWord = false, wentOn = false): void {
  const { call, occasion } = one;
  if (one.settled !== undefined || call?.answer === undefined || occasion.kind === 'altered') return;
  if (!one.visible) {
    docket.drop(one);
    return;
  }
  if (isUntaken(one) && !isLastWord) return;
  const stream = streamOf(one);
  const lost = stream === undefined ? undefined : lostOn(stream);
  one.coherent = occasion.control && one.leg?.from === 'store';
  const outcome = outcomeOf(occasion.kind, lost);
  // A session began in its scope that may be its client's: then it may not have taken it.
  if (outcome === 'accepted' && isUntaken(one) && one.rivalled && !wentOn) return;
  const tried = one.resumed === 'with its cursor' ? 'resumed with its cursor and ' : '';
  docket.settle(one, {
    outcome,
    confidence: 'proven',
    act: call.answer,
    did:
      outcome === 'accepted'
        ? `took the answer ${afterMs(occasion.spot, call.answer)} and went on, though ${lostText(lost)} was never shown`
        : `${tried}was given the answer ${afterMs(occasion.spot, call.answer)}`,
  });
}

function outcomeOf(kind: OccasionKind, lost: Weight | undefined): Outcome {
  if (lost === undefined || lost === 'answer') return 'recovered';
  if (cursorKinds.includes(kind)) return 'accepted';
  return (kind === 'garbled' || isOnLiveStream(kind)) && lost !== 'progress' ? 'accepted' : 'recovered';
}

function lostText(lost: Weight | undefined): string {
  switch (lost) {
    case 'request':
      return 'a request of the server';
    case 'state':
      return 'a change of state';
    default:
      return 'some progress';
  }
}

/** The same POST again, or the same work under another id, was answered. */
export function settleReissued(one: Case, docket: Docket): void {
  const { reissue, occasion } = one;
  if (reissue?.answer === undefined) return;
  const elsewhere = reissue.session !== one.session;
  if (elsewhere && !isAbandoned(one)) return;
  if (elsewhere) one.flags.add('reset-session');
  docket.settle(one, {
    outcome: occasion.control && elsewhere ? 'overreacted' : 'recovered',
    confidence: elsewhere && one.anew?.proof !== 'ids go on' ? 'inferred' : 'proven',
    act: reissue,
    did: `asked for the same work again ${elsewhere ? 'in a new session' : 'in the same session'} and was given the answer ${afterMs(occasion.spot, reissue.answer)}`,
  });
}

/** A reset whose work was then done is a recovery. */
function refineReissued(told: Extract<Happening, { type: 'answered' }>, docket: Docket): void {
  for (const one of docket.resetBy(told.call.session)) {
    if (one.reissue !== told.call || one.settled?.outcome !== 'reset') continue;
    one.settled = {
      ...one.settled,
      outcome: 'recovered',
      did: `${one.settled.did}; asked for the same work there and was given the answer ${afterMs(one.occasion.spot, told)}`,
    };
    one.evidence.add(told.seq);
  }
}
