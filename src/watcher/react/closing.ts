/**
 * The client ends its wait: it cancels the call, or closes the stream. Its own timeout is no detection, a
 * torn-down client is none either; only a wait that ends early in a session that goes on is.
 */

import { type Case, openLeg, streamOf } from '../case.ts';
import { reviseSilence } from '../detect/withheld.ts';
import { type Docket, isBeside } from '../docket.ts';
import { isAnswered } from '../ledger/call.ts';
import type { Spot } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import type { Leg } from '../ledger/stream.ts';
import { rankOf } from '../occasion.ts';
import { afterMs, isPrompt, lateness } from '../timing.ts';

const saysTimeout = /tim(?:ed?|ing)[ -]?out/i;

export function reactToClosing(told: Happening, docket: Docket): void {
  switch (told.type) {
    case 'cancelled': {
      const one = docket.ofCall(told.call);
      if (one !== undefined) onCancel(one, told, docket);
      return;
    }
    case 'ended':
      if (told.end.by === 'client') onClose(told, docket);
      return;
    case 'delete':
      noteLeft(told.exchange.session, told, docket);
      return;
    case 'calls':
    case 'get':
      // A GET may have been on its way when the client left with DELETE.
      if (told.type === 'calls' || told.exchange.session.deleted === undefined) {
        for (const one of docket.openIn(told.exchange.session)) one.left = undefined;
      }
      for (const one of docket.openIn(told.exchange.session)) onLife(one, told, docket);
      return;
  }
}

function onCancel(one: Case, told: Extract<Happening, { type: 'cancelled' }>, docket: Docket): void {
  const { call } = told;
  if (one.settled !== undefined) {
    refine(one, told, docket);
    return;
  }
  if (isAnswered(call) && one.occasion.kind !== 'altered') return;
  reviseSilence(one, docket);
  const when = lateness(one, call, told, docket.timeoutMs);
  const reason = call.cancelled?.reason ?? '';
  const byReason = saysTimeout.test(reason);
  one.evidence.add(told.seq);
  if (when === 'at its timeout' || when === 'late' || byReason) {
    settleTimedOut(
      one,
      told,
      docket,
      when === 'early' || when === 'unknown' ? 'inferred' : 'proven',
      byReason,
    );
    return;
  }
  one.closing = { seq: told.seq, at: told.at, by: 'cancelled the call', lateness: when };
  one.visible = true;
}

function settleTimedOut(
  one: Case,
  act: Spot,
  docket: Docket,
  confidence: 'proven' | 'inferred',
  byReason: boolean,
): void {
  const { call } = one;
  const own = docket.timeoutMs === undefined ? '' : `, its own timeout ${docket.timeoutMs} ms`;
  const said = byReason && confidence === 'inferred' ? ' and said that it had timed out' : '';
  const tried =
    one.tries.length === 0
      ? 'waited'
      : one.resumed === 'with its cursor'
        ? 'resumed with its cursor and waited'
        : 'tried again and waited';
  docket.settle(one, {
    outcome: 'timed-out',
    confidence,
    act,
    did: `${tried}; ended the call ${afterMs(call ?? one.opened, act)}${own}${said}`,
  });
}

/** Outcome of a case whose verdict stands already: what became of the call in the end. */
function refine(one: Case, told: Extract<Happening, { type: 'cancelled' }>, docket: Docket): void {
  if (one.settled?.outcome !== 'accepted' || isAnswered(told.call)) return;
  const when = lateness(one, told.call, told, docket.timeoutMs);
  if (when !== 'at its timeout' && when !== 'late' && !saysTimeout.test(told.call.cancelled?.reason ?? ''))
    return;
  one.settled = {
    outcome: 'timed-out',
    confidence: when === 'unknown' || when === 'early' ? 'inferred' : 'proven',
    act: told,
    did: `${one.settled.did}; ended the call ${afterMs(told.call, told)}${docket.timeoutMs === undefined ? '' : `, its own timeout ${docket.timeoutMs} ms`}`,
  };
  one.evidence.add(told.seq);
}

function onClose(told: Extract<Happening, { type: 'ended' }>, docket: Docket): void {
  const { exchange } = told;
  if (exchange.session.open.size === 0) noteLeft(exchange.session, told, docket);
  for (const one of docket.openIn(exchange.session)) {
    if (isBeside(one)) continue;
    const { call } = one;
    if (call !== undefined && isAnswered(call)) continue;
    const its =
      exchange.n === one.bareGet ||
      (exchange.leg === undefined ? exchange.calls.includes(call!) : exchange.leg.stream === streamOf(one));
    if (!its || isSuperseded(exchange.leg)) continue;
    reviseSilence(one, docket);
    const when = call === undefined ? 'early' : lateness(one, call, told, docket.timeoutMs);
    one.evidence.add(told.seq);
    if (one.closing === undefined || when === 'at its timeout') {
      one.closing = { seq: told.seq, at: told.at, by: 'closed the stream', lateness: when };
    }
  }
}

/** It waits on a later resumption of the stream; of the earlier ones it only lets go. */
function isSuperseded(leg: Leg | undefined): boolean {
  return (
    leg?.stream.legs.some((other) => other.attempt > leg.attempt && other.exchange.end === undefined) === true
  );
}

/** It closed the stream when its timeout was due, and did not open it again: then that is what it was. */
export function settleClosedAtTimeout(one: Case, docket: Docket): void {
  if (one.closing?.lateness === 'at its timeout') settleTimedOut(one, one.closing, docket, 'proven', false);
}

function noteLeft(session: Session, spot: Spot, docket: Docket): void {
  for (const one of docket.openIn(session)) one.left ??= { seq: spot.seq, at: spot.at };
}

/** The session goes on. What ended before did not end because the client was torn down. */
function onLife(one: Case, told: Extract<Happening, { type: 'calls' | 'get' }>, docket: Docket): void {
  if (isBeside(one) || one.call === undefined || !one.visible) return;
  const again =
    told.type === 'get' &&
    told.exchange.fact.cursor !== undefined &&
    one.leg?.exchange !== told.exchange &&
    isItsStream(one, told);
  if (again) {
    // It closed the stream to open it again.
    if (one.closing?.by === 'closed the stream') one.closing = undefined;
    return;
  }
  if (one.occasion.kind === 'session-lost') return;
  const { closing } = one;
  if (closing !== undefined) {
    if (closing.lateness === 'at its timeout' && told.type === 'calls') settleClosedAtTimeout(one, docket);
    if (closing.lateness !== 'early') return;
    docket.settle(one, {
      outcome: 'surfaced',
      confidence: 'proven',
      act: closing,
      did: `${closing.by} ${afterMs(one.occasion.spot, closing)}, before its own timeout, and its session went on`,
    });
    return;
  }
  if (told.type === 'calls') settledInSequence(one, told, docket);
}

function isItsStream(one: Case, told: Extract<Happening, { type: 'calls' | 'get' }>): boolean {
  const stream = streamOf(one);
  return stream?.shown.has(told.exchange.fact.cursor ?? '') === true;
}

/**
 * A client that has never had two calls open begins the next one: the former is settled for it. Where its
 * POST was refused nothing else could have settled it; where a stream broke, only at once.
 */
function settledInSequence(one: Case, told: Extract<Happening, { type: 'calls' }>, docket: Docket): void {
  const { call, session, occasion } = one;
  if (
    call === undefined ||
    session.concurrent ||
    openLeg(one) !== undefined ||
    call.maybeAnswer !== undefined
  )
    return;
  if (call.exchange.end === undefined || (rankOf(occasion.kind) === 1 && one.resumed !== 'not')) return;
  // The same work again is an attempt of its own; see anew.ts.
  if (one.again !== undefined) return;
  if (occasion.kind === 'altered') return;
  const refused = occasion.kind === 'session-refused' || occasion.kind === 'no-answer-possible';
  const broke = rankOf(occasion.kind) === 1 || occasion.kind === 'resume-refused';
  if (!refused && (!broke || docket.timeoutMs === undefined || !isPrompt(one, told))) return;
  if (lateness(one, call, told, docket.timeoutMs) === 'at its timeout') return;
  docket.settle(one, {
    outcome: 'surfaced',
    confidence: 'inferred',
    act: told,
    did: `began its next call ${afterMs(occasion.spot, told)}, though it never has two under way: this one was settled`,
  });
}
