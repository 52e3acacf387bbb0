/**
 * What the child said about its calls. A mark closes the wire's gap, and it could be praise: it counts where
 * nothing on the wire speaks against it, and a finding that rests on it is inferred.
 */
import type { MarkFact } from '../../history/fact.ts';
import { type Case, openLeg } from '../case.ts';
import { reviseSilence } from '../detect/withheld.ts';
import { type Docket, isBeside } from '../docket.ts';
import type { Call } from '../ledger/call.ts';
import type { Happening } from '../ledger/happening.ts';
import { mayShareClient } from '../ledger/session.ts';
import { afterMs, isPrompt, lateness } from '../timing.ts';
import { isUntaken, takeAnswer } from './answers.ts';

const ownTimeout = /tim(?:ed?|ing)[ -]?out/i;
/** Said by a client that was closed, not by one that noticed. */
const tornDown = /clos|abort|terminat|disconnect|tear|cancel|dispos/i;

export function reactToMarks(told: Happening, docket: Docket): void {
  if (told.type === 'mark') {
    const one = caseOf(told.mark, docket);
    if (one !== undefined) onMark(one, told, docket);
    else onHealthyCall(told, docket);
    return;
  }
  if (!['ended', 'cancelled', 'calls', 'deadline'].includes(told.type)) return;
  for (const one of docket.open()) {
    if (one.rejectedBy !== undefined) weigh(one, told, docket);
  }
}

/** By request id, then tool, then scope; nobody's where it could be two. */
function caseOf(mark: MarkFact, docket: Docket): Case | undefined {
  if (mark.phase === 'started') return undefined;
  const candidates = docket.open().filter((one) => {
    const { call } = one;
    if (call === undefined || isBeside(one) || (call.answer !== undefined && !isUntaken(one))) return false;
    if (mark.scope !== undefined && mark.scope !== call.exchange.fact.scope) return false;
    if (mark.requestId !== undefined && mark.requestId !== call.id) return false;
    return mark.tool === undefined || mark.tool === call.tool;
  });
  const named = mark.requestId !== undefined || mark.tool !== undefined || mark.scope !== undefined;
  const [one] = candidates;
  if (!named || one === undefined || candidates.length > 1) return undefined;
  return isOfTest(mark) || !couldBeAnother(one, mark, docket) ? one : undefined;
}

/**
 * Another call of the scope that the mark fits as well, and that ended, or still ran, while this one waited: two
 * clients with the same request ids, or one with two calls of a tool at a time. Not so what this call led to.
 */
function couldBeAnother(one: Case, mark: MarkFact, docket: Docket): boolean {
  const { call, session, occasion } = one;
  if (call === undefined) return false;
  for (const other of docket.ledger.sessions.all()) {
    if (!mayShareClient(other, session)) continue;
    if ((other.initialize?.seq ?? 0) > occasion.spot.seq) continue;
    for (const rival of other.calls.values()) {
      if (rival === call || rival.method !== call.method || rival === one.reissue) continue;
      if ((mark.requestId ?? rival.id) !== rival.id || (mark.tool ?? rival.tool) !== rival.tool) continue;
      const ran = rival.answer === undefined && rival.cancelled === undefined;
      if (ran ? docket.ofCall(rival) === undefined : (rival.answer?.seq ?? 0) > call.seq) return true;
    }
  }
  return false;
}

/** It names no call: what it says is that a test passed or failed. */
function isOfTest({ tool, requestId, name }: MarkFact): boolean {
  return tool === undefined && requestId === undefined && name !== undefined;
}

/** The whole answer was shown, and only harmless things happened to it: a rejection is the client's own. */
function onHealthyCall(told: Extract<Happening, { type: 'mark' }>, docket: Docket): void {
  const { phase, tool, requestId, scope, error = '' } = told.mark;
  // A test may fail for many a reason. Only where it is this call that failed does it say something.
  if (phase === 'started' || (tool === undefined && requestId === undefined)) return;
  if (tornDown.test(error) && !ownTimeout.test(error)) return;
  const candidates = docket.open().filter(({ call, occasion }) => {
    if (call?.answer === undefined || call.answer.failed) return false;
    if (occasion.kind !== 'altered' || !occasion.control) return false;
    if (scope !== undefined && scope !== call.exchange.fact.scope) return false;
    return (requestId ?? call.id) === call.id && (tool ?? call.tool) === call.tool;
  });
  const [one] = candidates;
  if (one === undefined || candidates.length > 1) return;
  if (phase === 'resolved') {
    docket.settle(one, {
      outcome: 'recovered',
      confidence: 'inferred',
      act: told,
      did: `said ${afterMs(one.occasion.spot, told)} that the call had succeeded`,
    });
    return;
  }
  docket.settle(one, {
    outcome: ownTimeout.test(error) ? 'timed-out' : 'overreacted',
    confidence: 'inferred',
    act: told,
    did: `said ${afterMs(one.occasion.spot, told)} that the call had failed with ${JSON.stringify(error)}, though it had been shown the whole answer`,
  });
}

/**
 * The same work, answered in a session of the scope that began after the occasion. Alone it could be another
 * client's; here the client says that its own call succeeded.
 */
function doneElsewhere({ session, call, occasion }: Case, docket: Docket): Call | undefined {
  for (const other of docket.ledger.sessions.all()) {
    if (other === session || !mayShareClient(other, session)) continue;
    if ((other.initialize?.seq ?? 0) < occasion.spot.seq) continue;
    for (const again of other.calls.values()) {
      if (again.key === call?.key && again.answer?.failed === false) return again;
    }
  }
  return undefined;
}

function onMark(one: Case, told: Extract<Happening, { type: 'mark' }>, docket: Docket): void {
  const { phase, error = '' } = told.mark;
  reviseSilence(one, docket);
  one.evidence.add(told.seq);
  one.visible = true;
  const at = afterMs(one.occasion.spot, told);
  if (phase === 'resolved') {
    if (one.reissue !== undefined) return;
    if (isUntaken(one)) {
      takeAnswer(one, docket);
      return;
    }
    if (isOfTest(told.mark)) {
      one.why =
        'its test passed, which a test that expects a rejection does as well: mark the call itself to tell';
      return;
    }
    const elsewhere = doneElsewhere(one, docket);
    if (elsewhere !== undefined) one.flags.add('reset-session').add('retried');
    docket.settle(one, {
      outcome: elsewhere === undefined ? 'accepted' : one.occasion.control ? 'overreacted' : 'recovered',
      confidence: 'inferred',
      act: told,
      did: `said ${at} that the call had succeeded, ${
        elsewhere === undefined
          ? 'though it was never shown an answer'
          : 'and the same work had been answered in a new session'
      }`,
    });
    return;
  }
  const when = one.call === undefined ? 'unknown' : lateness(one, one.call, told, docket.timeoutMs);
  if (ownTimeout.test(error) || when === 'at its timeout' || when === 'late') {
    docket.settle(one, {
      outcome: 'timed-out',
      confidence: 'inferred',
      act: told,
      did: `said ${at} that the call had ended with ${JSON.stringify(error)}: a timeout`,
    });
  } else if (isOfTest(told.mark) && !isPrompt(one, one.closing ?? told)) {
    // A test fails for many a reason, and its runner closes the client then: only haste speaks for the client.
    one.why = `its test failed with ${JSON.stringify(error)}, which may have torn it down: mark the call itself to tell`;
  } else if (!tornDown.test(error)) {
    one.rejectedBy = { seq: told.seq, at: told.at, error };
    if (isUntaken(one)) settleRejected(one, docket);
    else weigh(one, told, docket);
  }
}

/** The wire agrees once the client leaves the stream at about the same time; its own timeout would come later. */
function weigh(one: Case, told: Happening, docket: Docket): void {
  const { rejectedBy, closing, call } = one;
  // Whether it uses the dead session again is what matters, and shows later.
  if (rejectedBy === undefined || call === undefined || one.occasion.kind === 'session-lost') return;
  const agreed =
    closing !== undefined && isPrompt(one, closing, rejectedBy) && isPrompt(one, rejectedBy, closing);
  const outlived = openLeg(one) === undefined && lateness(one, call, told, docket.timeoutMs) === 'late';
  if (agreed || outlived) settleRejected(one, docket);
}

export function settleRejected(one: Case, docket: Docket): void {
  const { rejectedBy } = one;
  if (rejectedBy === undefined) return;
  docket.settle(one, {
    outcome: 'surfaced',
    confidence: 'inferred',
    act: rejectedBy,
    did: `said ${afterMs(one.occasion.spot, rejectedBy)} that the call was rejected with ${JSON.stringify(rejectedBy.error)}`,
  });
}
