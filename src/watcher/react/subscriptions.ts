/** Cases about a session's stand-alone stream: no call waits on it, so the work that goes on decides. */

import { type Case, openLeg } from '../case.ts';
import { reviseSilence } from '../detect/withheld.ts';
import { type Docket, isBeside } from '../docket.ts';
import type { Spot } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import { lostOn, type Weight } from '../ledger/stream.ts';
import { isOnLiveStream, rankOf } from '../occasion.ts';
import { afterMs, isPrompt } from '../timing.ts';

export function reactOnSubscriptions(told: Happening, docket: Docket): void {
  switch (told.type) {
    case 'frame':
      // What it says against the cursor was looked at before; here nothing is wrong with it.
      for (const one of mine(told.leg.stream.session, docket)) {
        if (one.leg === told.leg && isSurvivable(one)) settleResumed(one, told, docket);
      }
      return;
    case 'calls':
      for (const one of mine(told.exchange.session, docket)) onWork(one, told, docket);
      return;
    case 'get':
      if (told.exchange.fact.cursor !== undefined) return;
      for (const one of mine(told.exchange.session, docket)) onListenAnew(one, told, docket);
      return;
    case 'deadline':
      for (const one of docket.open()) {
        if (isMine(one) && told.since >= one.occasion.since) onDeadline(one, told, docket);
      }
  }
}

function mine(session: Case['session'], docket: Docket): readonly Case[] {
  return docket.openIn(session).filter((one) => isMine(one));
}

/** What was left out of a stream that is open has a file of its own. */
function isMine(one: Case): boolean {
  return one.call === undefined && !isBeside(one) && !isOnLiveStream(one.occasion.kind);
}

function isSurvivable(one: Case): boolean {
  return rankOf(one.occasion.kind) === 1 && one.resumed === 'with its cursor';
}

export function settleResumed(one: Case, act: Spot, docket: Docket): void {
  one.coherent = one.leg?.from === 'store';
  docket.settle(one, {
    outcome: 'recovered',
    confidence: 'proven',
    act,
    did: `resumed the stand-alone stream with its cursor ${afterMs(one.occasion.spot, act)}`,
  });
}

function onWork(one: Case, told: Extract<Happening, { type: 'calls' }>, docket: Docket): void {
  const { kind } = one.occasion;
  if (kind === 'altered') {
    docket.settle(one, {
      outcome: 'recovered',
      confidence: 'proven',
      act: told,
      did: 'went on with its calls',
    });
    return;
  }
  if (one.closing !== undefined && rankOf(kind) >= 2) {
    docket.settle(one, {
      outcome: 'surfaced',
      confidence: 'proven',
      act: one.closing,
      did: `closed the stream ${afterMs(one.occasion.spot, one.closing)}, and its session went on`,
    });
    return;
  }
  reviseSilence(one, docket);
  if (isSurvivable(one) && openLeg(one) === one.leg && one.leg !== undefined) {
    settleResumed(one, told, docket);
    return;
  }
  if (rankOf(one.occasion.kind) === 1 && one.tries.length === 0 && one.deadlines.length > 0) {
    settleAccepted(
      one,
      told,
      'had not opened the stream again a whole deadline later, and went on with its calls',
      docket,
    );
    return;
  }
  if (rankOf(one.occasion.kind) < 2 || kind === 'session-lost') return;
  if (isPrompt(one, told)) return;
  if (kind === 'stalled' && heaviest(one) === undefined) return;
  settleAccepted(one, told, `went on with its calls ${afterMs(one.occasion.spot, told)}`, docket);
}

/** Left the bad stream, and listens from where the session is now. */
function onListenAnew(one: Case, told: Spot, docket: Docket): void {
  if (rankOf(one.occasion.kind) < 2 || one.occasion.kind === 'session-lost') return;
  if (one.closing === undefined && one.occasion.kind !== 'resume-refused') return;
  docket.settle(one, {
    outcome: 'reset',
    confidence: 'proven',
    act: told,
    did: `left the stream and opened the stand-alone stream anew ${afterMs(one.occasion.spot, told)}`,
  });
}

function onDeadline(one: Case, told: Extract<Happening, { type: 'deadline' }>, docket: Docket): void {
  const { session, occasion } = one;
  if (occasion.kind === 'session-lost' || session.deleted !== undefined || one.closing !== undefined) return;
  reviseSilence(one, docket);
  if (told.since < one.occasion.since) return;
  if (openLeg(one) === undefined) return;
  if (isSurvivable(one)) settleResumed(one, told, docket);
  else if (rankOf(one.occasion.kind) >= 2 && (occasion.kind !== 'stalled' || heaviest(one) !== undefined)) {
    settleAccepted(one, told, 'kept listening to it for a whole deadline', docket);
  }
}

function heaviest(one: Case): Weight | undefined {
  return one.stream === undefined ? undefined : lostOn(one.stream);
}

function settleAccepted(one: Case, act: Spot, did: string, docket: Docket): void {
  docket.settle(one, { outcome: 'accepted', confidence: 'proven', act, did });
}
