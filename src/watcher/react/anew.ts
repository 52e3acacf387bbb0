/**
 * The client begins anew: `initialize` without the old id, or the same work under another request id. In
 * one scope there may be many clients, and the next test's client looks like this one's second session. So a
 * new session is an answer to an occasion only with proof, and to nobody's where it could be two clients'.
 */

import { type Case, streamOf } from '../case.ts';
import { reviseSilence } from '../detect/withheld.ts';
import type { Docket } from '../docket.ts';
import type { Call } from '../ledger/call.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import { afterMs, isPrompt, lateness } from '../timing.ts';

type Began = Extract<Happening, { type: 'calls' }>;

export function reactToNewBeginnings(told: Happening, docket: Docket): void {
  if (told.type === 'ended' && told.end.by === 'client') {
    for (const one of docket.openIn(told.exchange.session))
      if (one.anew !== undefined) confirmAbandoned(one, docket);
    return;
  }
  if (told.type !== 'calls') return;
  const { session } = told.exchange;
  const [first] = told.calls;
  if (first !== undefined && first === session.initialize) {
    onInitialize(session, told, docket);
    return;
  }
  for (const one of docket.openIn(session)) {
    // It still uses the session that it was thought to have left.
    if (one.anew !== undefined && !told.calls.some((call) => call.id === one.call?.id)) one.anew = undefined;
  }
  for (const call of told.calls) onWork(call, told, docket);
}

function onInitialize(session: Session, told: Began, docket: Docket): void {
  const affected = docket.open().filter((one) => mayBegin(one, session, told, docket));
  for (const one of affected) reviseSilence(one, docket);
  const sessions = [...new Set(affected.map((one) => one.session))];
  const continued = sessions.filter((old) => idsGoOn(old, session));
  if (continued.length === 1) {
    for (const one of affected.filter((other) => other.session === continued[0])) {
      docket.begin(one, { seq: told.seq, at: told.at, session, proof: 'ids go on' });
      settleReset(one, docket);
    }
    return;
  }
  // A call is under way, so no test has ended; and the client's other sessions are not alive to begin one.
  const atOnce = affected.filter((one) => one.call !== undefined && isPrompt(one, told));
  const [old, ...others] = new Set(atOnce.map((one) => one.session));
  if (old === undefined || others.length > 0 || isShared(old, session, docket)) {
    for (const one of affected) one.rivalled = true;
    return;
  }
  for (const one of affected) one.rivalled = !atOnce.includes(one);
  for (const one of atOnce) {
    docket.begin(one, { seq: told.seq, at: told.at, session, proof: 'at once' });
    confirmAbandoned(one, docket);
  }
}

function mayBegin(one: Case, session: Session, told: Began, docket: Docket): boolean {
  const { call } = one;
  if (!one.visible || one.session === session) return false;
  if (one.session.scope !== session.scope || one.session.upstream !== session.upstream) return false;
  if (
    call !== undefined &&
    call.answer !== undefined &&
    one.occasion.kind !== 'answered-twice' &&
    one.occasion.kind !== 'altered'
  ) {
    if (one.occasion.kind !== 'session-id-changed' && one.occasion.kind !== 'session-id-missing')
      return false;
  }
  if (call === undefined) return true;
  const when = lateness(one, call, told, docket.timeoutMs);
  return when === 'early' || when === 'unknown';
}

/**
 * The numbers of its requests go on where the old session's stopped. A new client object begins at 0 or 1,
 * and so did the old one; where it did not, numbers are shared by clients and prove nothing.
 */
function idsGoOn(old: Session, next: Session): boolean {
  const id = next.initialize?.id;
  const began = old.initialize?.id;
  if (typeof id !== 'number' || typeof began !== 'number' || old.highestId === undefined) return false;
  return began <= 1 && id > 1 && id > old.highestId && id <= old.highestId + 10;
}

/** Another client of the scope is at work at this moment. */
function isShared(old: Session, next: Session, docket: Docket): boolean {
  for (const other of docket.ledger.sessions.all()) {
    if (other === old || other === next || other.scope !== old.scope || other.upstream !== old.upstream)
      continue;
    if (other.deleted === undefined && other.open.size > 0) return true;
  }
  return false;
}

/** Nothing of the old session is open any more: its client has left it. */
function confirmAbandoned(one: Case, docket: Docket): void {
  if (one.anew === undefined) return;
  for (const exchange of one.session.open) {
    if (
      exchange.fact.verb !== 'DELETE' &&
      exchange.messages.every((message) => message.type !== 'notification')
    )
      return;
  }
  // A healthy session that ended needs more than that to be blamed for it: the same work again.
  if (!one.occasion.control) settleReset(one, docket);
}

function settleReset(one: Case, docket: Docket): void {
  const { anew, occasion } = one;
  if (anew === undefined) return;
  one.flags.add('reset-session');
  const kept = occasion.kind === 'answered-twice' || (one.call === undefined && occasion.kind === 'altered');
  docket.settle(one, {
    outcome: occasion.control && !kept ? 'overreacted' : 'reset',
    confidence: anew.proof === 'ids go on' ? 'proven' : 'inferred',
    act: anew,
    did: `began a new session ${afterMs(occasion.spot, anew)}${occasion.control ? ', though the old one was healthy' : ''}`,
  });
}

/** A call that may be the work of an affected one, asked for again. */
function onWork(call: Call, told: Began, docket: Docket): void {
  for (const one of docket.resetBy(call.session)) {
    if (one.call === undefined || one.call.key !== call.key || one.reissue !== undefined) continue;
    one.reissue = call;
    one.flags.add('retried');
    one.evidence.add(told.seq);
    if (one.settled === undefined) settleReset(one, docket);
  }
  for (const one of docket.openIn(call.session)) {
    if (one.call === undefined || one.call === call || one.reissue !== undefined || !one.visible) continue;
    const samePost = one.call.id === call.id && one.call.key === call.key;
    if (!samePost && !isReissue(one.call, call)) continue;
    one.reissue = call;
    one.tries.push(told);
    one.flags.add('retried');
    one.evidence.add(told.seq);
    one.exchanges.add(call.exchange.n);
    if (one.occasion.control && !samePost && streamOf(one) !== undefined && one.call.answer === undefined)
      overreact(one, call, docket);
  }
}

function overreact(one: Case, call: Call, docket: Docket): void {
  docket.settle(one, {
    outcome: 'overreacted',
    confidence: 'inferred',
    act: call,
    did: `asked for the same work again under id ${JSON.stringify(call.id)} ${afterMs(one.occasion.spot, call)}, though its stream could be resumed`,
  });
}

/**
 * Suites ask for the same thing again and again. Only where a session's calls were all different so far
 * is one that is not a second attempt; and even then this is inferred.
 */
export function isReissue(first: Call, next: Call): boolean {
  if (next.key !== first.key || next.session !== first.session || next.earlier !== 1 || first.earlier !== 0)
    return false;
  let different = 0;
  for (const [key, count] of first.session.keys) {
    if (key === first.key || !key.startsWith(`${first.method} `)) continue;
    if (count > 1) return false;
    different += 1;
  }
  return different > 0;
}
