/** A GET: does it resume, with the right cursor, or open a stream anew? */

import { type Case, streamOf } from '../case.ts';
import { type Docket, isBeside } from '../docket.ts';
import type { Exchange } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import { type Leg, lastLeg, type Stream } from '../ledger/stream.ts';
import { streamOfCursor } from '../ledger/streams.ts';
import { isOnLiveStream, rankOf } from '../occasion.ts';
import { afterMs, isMaybeUnread } from '../timing.ts';
import { idText } from '../words.ts';
import { settleAnswered } from './answers.ts';

export function reactToCursors(told: Happening, docket: Docket): void {
  if (told.type === 'leg') {
    for (const one of casesOn(told.leg.stream, docket)) {
      one.leg = told.leg;
      one.exchanges.add(told.leg.exchange.n);
    }
    return;
  }
  if (told.type !== 'get') return;
  const { exchange } = told;
  const { session } = exchange;
  const { cursor } = exchange.fact;
  if (cursor === undefined || cursor === '') onBareGet(exchange, docket);
  else {
    const stream = streamOfCursor(session, cursor);
    if (stream === undefined) onUnknownCursor(exchange, cursor, docket);
    else onCursor(exchange, cursor, stream, docket);
    session.usesCursors = true;
  }
}

function casesOn(stream: Stream, docket: Docket): readonly Case[] {
  return docket
    .openIn(stream.session)
    .filter((one) => streamOf(one) === stream && one.visible && !isBeside(one));
}

function onCursor(exchange: Exchange, cursor: string, stream: Stream, docket: Docket): void {
  const leg = lastLeg(stream);
  for (const one of casesOn(stream, docket)) {
    note(one, exchange);
    if (one.occasion.kind === 'altered') {
      one.doubtful = true;
      continue;
    }
    if (rankOf(one.occasion.kind) >= 2) {
      if (one.leg?.frames.some((frame) => frame.id === cursor) === true) one.flags.add('adopted-cursor');
      continue;
    }
    if (leg === undefined) continue;
    // What may have been lost in a reset is a matter of milliseconds.
    one.timed ||= leg.exchange.end?.how === 'reset';
    const { maybeAnswer } = one.call ?? {};
    if (one.call !== undefined && maybeAnswer !== undefined) {
      one.call.maybeAnswer = undefined;
      if (maybeAnswer.frameId === cursor) {
        one.call.answer = maybeAnswer;
        settleAnswered(one, docket);
        continue;
      }
    }
    if (acceptableCursors(leg).includes(cursor)) {
      one.resumed = 'with its cursor';
    } else if (cursor === leg.unfinishedId) {
      one.resumed = 'with an unfinished id';
      settleWrong(
        one,
        exchange,
        `resumed after id ${idText(cursor)}, which it was shown only in part`,
        docket,
      );
    } else {
      one.resumed = 'with a wrong cursor';
      settleWrong(
        one,
        exchange,
        `resumed after id ${idText(cursor)}, not after id ${idText(leg.cursor.value)}`,
        docket,
      );
    }
  }
  resumedAfterAnswer(exchange, cursor, stream, leg, docket);
}

/** Its verdict is proven; what became of the call may still be told. */
function settleWrong(one: Case, exchange: Exchange, did: string, docket: Docket): void {
  docket.settle(one, { outcome: 'accepted', confidence: 'proven', act: exchange.start, did });
}

/** A cursor that was never shown: whose it is shows only where there is one stream to resume. */
function onUnknownCursor(exchange: Exchange, cursor: string, docket: Docket): void {
  const broken = docket.openIn(exchange.session).filter((one) => isBroken(one));
  const [one] = broken;
  if (one === undefined || broken.length > 1) return;
  note(one, exchange);
  one.resumed = 'with a wrong cursor';
  const right = lastLeg(streamOf(one)!)?.cursor.value ?? '';
  settleWrong(
    one,
    exchange,
    `resumed after id ${idText(cursor)}, which was never shown, not after id ${idText(right)}`,
    docket,
  );
}

/** Without a cursor: the stand-alone stream anew, or a client that has lost the cursor of its call. */
function onBareGet(exchange: Exchange, docket: Docket): void {
  const { session } = exchange;
  const open = docket.openIn(session).filter((one) => isBroken(one));
  const subscription = open.find((one) => one.call === undefined);
  if (subscription !== undefined) {
    note(subscription, exchange);
    reopened(subscription, exchange, docket);
    return;
  }
  // From a client that never sends cursors it does no harm to take this for its way of coming back.
  if (session.usesCursors && !standaloneIsAccountedFor(session, exchange)) return;
  const withCursor = open.filter(
    (one) => one.call !== undefined && lastLeg(streamOf(one)!)?.cursor.value !== '',
  );
  const [one] = withCursor;
  if (one === undefined || withCursor.length > 1) return;
  note(one, exchange);
  one.resumed = 'without a cursor';
  one.bareGet = exchange.n;
  if (session.usesCursors) forgot(one, exchange, docket);
}

/** Open, or refused: then a GET without a cursor is not for it. */
function standaloneIsAccountedFor(session: Session, exchange: Exchange): boolean {
  if (session.standalone === 'refused') return true;
  for (const other of session.open) {
    if (other !== exchange && other.fact.verb === 'GET' && other.leg?.stream.born === 'GET') return true;
  }
  return false;
}

function reopened(one: Case, exchange: Exchange, docket: Docket): void {
  const hadCursor = one.stream !== undefined && (lastLeg(one.stream)?.cursor.value ?? '') !== '';
  one.resumed = 'without a cursor';
  if (hadCursor && one.session.usesCursors) {
    forgot(one, exchange, docket);
    return;
  }
  docket.settle(one, {
    outcome: 'recovered',
    confidence: 'proven',
    act: exchange.start,
    did: `opened the stand-alone stream again ${afterMs(one.occasion.spot, exchange.start)}${hadCursor ? ', without its cursor' : ''}`,
  });
}

function forgot(one: Case, exchange: Exchange, docket: Docket): void {
  const cursor = lastLeg(streamOf(one)!)?.cursor.value ?? '';
  settleWrong(
    one,
    exchange,
    `reconnected without a cursor, though it had resumed with one before and its last id was ${idText(cursor)}`,
    docket,
  );
}

function note(one: Case, exchange: Exchange): void {
  one.tries.push(exchange.start);
  if (one.tries.length > 1) one.flags.add('retried');
  one.evidence.add(exchange.start.seq);
  one.exchanges.add(exchange.n);
}

function isBroken(one: Case): boolean {
  return (
    rankOf(one.occasion.kind) === 1 &&
    one.visible &&
    one.occasion.kind !== 'altered' &&
    !isOnLiveStream(one.occasion.kind) &&
    streamOf(one) !== undefined &&
    one.call?.answer === undefined
  );
}

/**
 * Every cursor that a correct client may send now. What was written right before a reset it may not have
 * read; from a stream that it left itself, or that is open, it may have read any part.
 */
function acceptableCursors(leg: Leg): readonly string[] {
  const { end } = leg.exchange;
  const cursors = [leg.sentCursor];
  let sure = 0;
  for (const frame of leg.frames) {
    if (frame.id === undefined) continue;
    cursors.push(frame.id);
    if (end === undefined || end.by === 'client' || (end.how === 'reset' && isMaybeUnread(frame, end)))
      continue;
    sure = cursors.length - 1;
  }
  return cursors.slice(sure);
}

/** It has its answer, the stream has ended, and it asks for more. */
function resumedAfterAnswer(
  exchange: Exchange,
  cursor: string,
  stream: Stream,
  leg: Leg | undefined,
  docket: Docket,
): void {
  const [call] = stream.calls;
  if (call?.answer === undefined || stream.calls.some((other) => other.answer === undefined)) return;
  if (leg?.exchange.end === undefined || call.answer.frameId !== cursor) return;
  // After a reset it may want to be sure.
  if (leg.exchange.end.by === 'client' || leg.exchange.end.how === 'reset') return;
  const known = docket.ofCall(call);
  if (known?.occasion.kind === 'altered' || stream.afterAnswer) return;
  stream.afterAnswer = true;
  const { end } = leg.exchange;
  docket.beside(
    { call },
    {
      kind: 'resumed-after-answer',
      spot: end,
      exchange: leg.exchange.n,
      shown: `its stream ended after the answer, whose id was ${idText(cursor)}`,
    },
    {
      outcome: 'overreacted',
      confidence: 'proven',
      act: exchange.start,
      did: `resumed after that id ${afterMs(end, exchange.start)}, though nothing was missing`,
    },
  );
}
