/** Deadlines that passed, and the end: what is still open then, and what may be said of it. */

import { type Case, openLeg } from '../case.ts';
import { reviseSilence } from '../detect/withheld.ts';
import { type Docket, isBeside } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import { rankOf } from '../occasion.ts';
import { isPrompt } from '../timing.ts';
import { settleAnswered } from './answers.ts';
import { settleClosedAtTimeout } from './closing.ts';
import { settleRejected } from './marks.ts';
import { settleResumed } from './subscriptions.ts';

/**
 * Signals that a process dies of by its own doing. SIGKILL and SIGTERM come from outside: from us, a runner,
 * or a machine without memory.
 */
const fatalSignals = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP'];
/**
 * Node's own exit codes for a death that no code asked for (process, "Exit codes": 5 V8 fatal error, 6 and 7
 * a broken exception handler), and a shell's for the signals above. 1 is what a failed test exits with.
 */
const fatalCodes = [5, 6, 7, 132, 133, 134, 135, 136, 139];

export function reactToTheEnd(told: Happening, docket: Docket): void {
  switch (told.type) {
    case 'deadline':
      for (const one of docket.open()) onDeadline(one, told, docket);
      return;
    case 'child-exited': {
      const fatal =
        told.signal === null ? fatalCodes.includes(told.code ?? 0) : fatalSignals.includes(told.signal);
      const how = told.signal === null ? `exit code ${told.code}` : told.signal;
      for (const one of docket.open()) {
        if (fatal && isPrompt(one, told)) crashed(one, told, how, docket);
      }
      for (const one of docket.open()) onEnd(one, told, docket);
      return;
    }
    case 'run-ended':
      for (const one of docket.open()) onEnd(one, told, docket);
  }
}

function onDeadline(one: Case, told: Extract<Happening, { type: 'deadline' }>, docket: Docket): void {
  if (told.since < one.opened.seq && told.since < one.occasion.since) return;
  if (one.left !== undefined || one.closing !== undefined) return;
  // With nothing of it open, and other calls or a newer session since, nobody can say that it still waits.
  const busy = one.rivalled || one.session.lastCall > one.occasion.spot.seq;
  if (busy && openLeg(one) === undefined) return;
  one.deadlines.push(told.since);
  one.evidence.add(told.seq);
  if (one.call !== undefined && !one.visible && one.call.answer === undefined) {
    one.visible = true;
    reviseSilence(one, docket);
  }
}

function crashed(one: Case, told: Happening, how: string, docket: Docket): void {
  if (one.call?.answer !== undefined && !isBeside(one)) return;
  docket.settle(one, {
    outcome: 'crashed',
    confidence: 'proven',
    act: told,
    did: `its process died at once (${how})`,
  });
}

function onEnd(one: Case, told: Happening, docket: Docket): void {
  const { kind } = one.occasion;
  if (isBeside(one) || kind === 'altered') atRest(one, told, docket);
  else if (one.call?.answer !== undefined) settleAnswered(one, docket, true);
  else if (!one.visible) docket.drop(one);
  else {
    reviseSilence(one, docket);
    if (one.call === undefined) endListening(one, docket);
    else if (one.rejectedBy !== undefined && openLeg(one) === undefined) settleRejected(one, docket);
    else endWaiting(one, docket);
  }
}

function endListening(one: Case, docket: Docket): void {
  const { leg, occasion, resumed } = one;
  if (leg === undefined || rankOf(occasion.kind) !== 1 || resumed !== 'with its cursor') return;
  if (leg.exchange.head?.status === 200) settleResumed(one, leg.start, docket);
}

/** Pending and quiet for a deadline, or still at it after one. */
function endWaiting(one: Case, docket: Docket): void {
  settleClosedAtTimeout(one, docket);
  const passed = one.deadlines.filter((since) => since >= one.occasion.since);
  const lastTry = one.tries.at(-1)?.seq ?? 0;
  const quiet = passed.some((since) => since >= lastTry);
  if (quiet) {
    docket.settle(one, {
      outcome: 'hung',
      confidence: 'proven',
      act: undefined,
      did: `waited, and the run ended; for at least ${docket.deadlineMs} ms nothing came from it`,
    });
  } else if (one.tries.length >= 2 && one.deadlines.length > 0) {
    docket.settle(one, {
      outcome: 'stuck',
      confidence: 'proven',
      act: one.tries.at(-1),
      did: `tried ${one.tries.length} times to go on, and still did when the run ended`,
    });
  }
}

/** Nothing was at stake but its composure, and it kept it until the end. */
function atRest(one: Case, told: Happening, docket: Docket): void {
  if (one.doubtful) return;
  const { kind } = one.occasion;
  if (kind === 'session-id-changed' || kind === 'session-id-missing') return;
  docket.settle(one, {
    outcome: 'recovered',
    confidence: 'proven',
    act: told,
    did: 'took it without a reaction',
  });
}

/** Why a case is undecided, in words. */
export function undecidedBecause(one: Case, ended: boolean): string {
  if (one.why !== undefined) return one.why;
  if (one.call?.maybeAnswer !== undefined)
    return 'the answer was written right before a reset, and nothing shows whether it was read';
  if (one.closing?.lateness === 'unknown') {
    return `it ${one.closing.by}, and without --client-timeout nobody can say whether that was its own timeout`;
  }
  if (one.rejectedBy !== undefined)
    return 'it said that the call was rejected, and kept the stream open all the same';
  if (!ended) return 'the journal ends before it was decided';
  if (one.rivalled)
    return 'a new session began in its scope, and the wire cannot tell whose it is: give each client a scope';
  if (one.closing !== undefined)
    return `it ${one.closing.by}, and nothing of its session followed: it may have been torn down`;
  if (one.left !== undefined || one.session.deleted !== undefined)
    return 'its session was ended while this was pending: it may have been torn down';
  if (one.tries.length > 0) return 'it was still trying to go on when the run ended, before the deadline';
  return 'the run ended before the deadline passed';
}
