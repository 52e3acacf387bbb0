/**
 * The client begins anew: `initialize` without the old id. In one scope there may be many clients, and the
 * next test's client looks like this one's second session. So a new session is an answer to an occasion only
 * where something shows it, and nobody's where it could be two clients'.
 */

import type { Case } from '../case.ts';
import { reviseSilence } from '../detect/withheld.ts';
import type { Docket } from '../docket.ts';
import type { Call } from '../ledger/call.ts';
import type { Happening } from '../ledger/happening.ts';
import { mayShareClient, type Session } from '../ledger/session.ts';
import { afterMs, isPrompt, lateness } from '../timing.ts';
import { isUntaken } from './answers.ts';

type Began = Extract<Happening, { type: 'calls' }>;

export function createNewBeginnings(): (told: Happening, docket: Docket) => void {
  /** Scopes in which two clients were at work at a time. */
  const crowded = new Set<string>();

  return (told, docket) => {
    if (told.type === 'ended' && told.end.by === 'client') {
      for (const one of docket.openIn(told.exchange.session)) onLeaving(one, told, docket);
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
      if (one.anew !== undefined && !told.calls.some((call) => call.id === one.call?.id))
        one.anew = undefined;
    }
    for (const call of told.calls) onWork(call, told, docket);
  };

  function onInitialize(session: Session, told: Began, docket: Docket): void {
    const affected = docket.open().filter((one) => mayBegin(one, session, told, docket));
    for (const one of affected) reviseSilence(one, docket);
    const sessions = [...new Set(affected.map((one) => one.session))];
    const scope = `${session.upstream}\n${session.scope}`;
    if (othersAtWork(session, sessions, docket)) crowded.add(scope);
    const begin = (one: Case, proof: 'ids go on' | 'at once'): void =>
      docket.begin(one, { seq: told.seq, at: told.at, session, proof });

    const continued = sessions.filter((old) => idsGoOn(old, session));
    if (continued.length === 1) {
      for (const one of affected.filter((other) => other.session === continued[0])) {
        begin(one, 'ids go on');
        settleReset(one, docket);
      }
      return;
    }
    // A call is under way, so no test has ended; and no other client is at work that could begin one. Not so where
    // the answer was there: then a test may well have ended.
    const atOnce = affected.filter(
      (one) => one.call !== undefined && !isUntaken(one) && !isHabitual(one) && isPrompt(one, told),
    );
    const candidates = new Set(atOnce.map((one) => one.session));
    const clear = candidates.size === 1 && !crowded.has(scope);
    for (const one of affected) one.rivalled = !clear || !atOnce.includes(one);
    if (!clear) return;
    for (const one of atOnce) {
      begin(one, 'at once');
      if (hasLeft(one) && !one.occasion.control) settleReset(one, docket);
    }
  }
}

/** Its stream breaks again and again, and it came back each time: whenever it leaves, that is soon after a break. */
function isHabitual(one: Case): boolean {
  return one.tries.length > 1;
}

function mayBegin(one: Case, session: Session, told: Began, docket: Docket): boolean {
  const { call } = one;
  if (!one.visible || one.session === session) return false;
  if (!mayShareClient(one.session, session)) return false;
  if (call === undefined) return true;
  if (call.answer !== undefined && !isUntaken(one) && !concernsAnswered.includes(one.occasion.kind))
    return false;
  const when = lateness(one, call, told, docket.timeoutMs);
  return when === 'early' || when === 'unknown';
}

/** Occasions that an answered call leaves open. */
const concernsAnswered: readonly string[] = [
  'answered-twice',
  'altered',
  'session-id-changed',
  'session-id-missing',
];

/**
 * The numbers of its requests go on where the old session's stopped. A new client object begins at 0 or 1,
 * and so did the old one; where it did not, numbers are shared by clients and prove nothing.
 */
function idsGoOn(old: Session, next: Session): boolean {
  const id = next.initialize?.id;
  const began = (old.origin ?? old).initialize?.id;
  if (typeof id !== 'number' || typeof began !== 'number' || old.highestId === undefined) return false;
  return began <= 1 && id > 1 && id > old.highestId && id <= old.highestId + 10;
}

/** A client of the scope that nothing happened to has something open. */
function othersAtWork(next: Session, affected: readonly Session[], docket: Docket): boolean {
  for (const other of docket.ledger.sessions.all()) {
    if (other === next || !mayShareClient(other, next)) continue;
    if (!affected.includes(other) && other.deleted === undefined && other.open.size > 0) return true;
  }
  return false;
}

/** The client has closed what it had open, and there is nothing left of its session. */
function hasLeft(one: Case): boolean {
  return isAbandoned(one) && (one.left !== undefined || one.closing !== undefined);
}

/** Nothing of the old session is open. */
export function isAbandoned(one: Case): boolean {
  for (const exchange of one.session.open) {
    const passing =
      exchange.fact.verb === 'DELETE' || (exchange.fact.verb === 'POST' && exchange.calls.length === 0);
    if (!passing) return false;
  }
  return true;
}

/** It closed the last of the old session after the new one had begun, and has asked for the same work there. */
function onLeaving(one: Case, told: Happening, docket: Docket): void {
  const { anew, reissue } = one;
  if (anew === undefined || reissue === undefined || !isAbandoned(one)) return;
  if (isPrompt(one, told, anew)) settleReset(one, docket);
}

/** The same work in the new session. A healthy session that ended is blamed on nothing less. */
function onWork(call: Call, told: Began, docket: Docket): void {
  for (const one of docket.resetBy(call.session)) {
    if (one.call === undefined || one.call.key !== call.key || one.reissue !== undefined) continue;
    one.reissue = call;
    one.flags.add('retried');
    one.evidence.add(told.seq);
    if (one.anew?.proof === 'ids go on') {
      call.session.origin ??= one.session.origin ?? one.session;
      if (one.settled !== undefined) one.settled = { ...one.settled, confidence: 'proven' };
    }
    // A session that is gone need not be closed: its other streams are left to themselves.
    if (one.settled === undefined && (isAbandoned(one) || one.occasion.kind === 'session-lost')) {
      settleReset(one, docket);
    }
  }
}

function settleReset(one: Case, docket: Docket): void {
  const { anew, occasion } = one;
  if (anew === undefined) return;
  one.flags.add('reset-session');
  const fine =
    !occasion.control ||
    occasion.kind === 'answered-twice' ||
    (one.call === undefined && occasion.kind === 'altered');
  const sure = anew.proof === 'ids go on' && (one.reissue !== undefined || isPrompt(one, anew));
  if (sure) anew.session.origin ??= one.session.origin ?? one.session;
  docket.settle(one, {
    outcome: fine ? 'reset' : 'overreacted',
    confidence: sure ? 'proven' : 'inferred',
    act: anew,
    did: `began a new session ${afterMs(occasion.spot, anew)}${fine ? '' : ', though the old one was healthy'}`,
  });
}
