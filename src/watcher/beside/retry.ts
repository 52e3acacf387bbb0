/** `retry`: how long the client waited before it came back. */

import type { Docket, Unit } from '../docket.ts';
import type { Exchange } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import { type Leg, lastLeg, type ShownFrame, type Stream } from '../ledger/stream.ts';
import { streamOfCursor } from '../ledger/streams.ts';
import { isMaybeUnread, recordingLag } from '../timing.ts';

/**
 * Apart from the lag of its own record the proxy sees the stream end before the client does and the GET after
 * the client sent it, so a client that waits looks late, never early. 50 ms, as in MCP's conformance suite (`sse-retry`), are for coarse timers.
 * Late is no fault: WHATWG HTML 9.2.3 lets a client wait longer.
 */
const earlyMs = 50;

export function judgeRetry(told: Happening, docket: Docket): void {
  if (told.type !== 'get') return;
  const { exchange } = told;
  const stream = streamComingBack(exchange);
  const leg = stream === undefined ? undefined : lastLeg(stream);
  const end = leg?.exchange.end;
  if (stream === undefined || leg === undefined || end === undefined || end.by === 'client') return;
  const asked = retryInForce(stream);
  if (asked?.retryMs === undefined) return;
  if (end.how === 'reset' && isMaybeUnread(asked, end) && !hasRead(leg, asked, exchange)) return;
  const waitedMs = exchange.start.at - end.at;
  const early = waitedMs + recordingLag(end) < asked.retryMs - earlyMs;
  // A server that asks for pauses does so all the time: kept promises are findings only where they were tested.
  if (!early && asked.decision === undefined) return;
  if (early && stream.hurried) return;
  if (early) stream.hurried = true;
  docket.beside(
    unitOf(stream),
    {
      kind: 'retry-announced',
      spot: end,
      exchange: leg.exchange.n,
      decision: end.decision ?? asked.decision,
      shown: `its stream ended, and had asked it to wait ${asked.retryMs} ms before it reconnects`,
    },
    {
      outcome: early ? 'overreacted' : 'recovered',
      confidence: 'proven',
      act: exchange.start,
      did: `reconnected after ${Math.round(waitedMs)} ms`,
    },
  );
}

/** The stream that this GET reconnects to; a bare one only where it cannot be for another. */
function streamComingBack(exchange: Exchange): Stream | undefined {
  const { cursor } = exchange.fact;
  if (cursor !== undefined && cursor !== '') return streamOfCursor(exchange.session, cursor);
  return lastStandalone(exchange.session);
}

function lastStandalone(session: Session): Stream | undefined {
  return [...session.streams].findLast((stream) => stream.born === 'GET');
}

/** The reconnection time is the stream's (WHATWG HTML 9.2.2), from the last leg that set it. */
function retryInForce(stream: Stream): ShownFrame | undefined {
  const onLeg = (leg: Leg): ShownFrame | undefined =>
    leg.frames.findLast((frame) => frame.retryMs !== undefined);
  for (const leg of stream.legs.toReversed()) {
    const frame = onLeg(leg);
    if (frame !== undefined) return frame;
  }
  return undefined;
}

/** Its cursor is that event's, or a later one's of the same response. */
function hasRead(leg: Leg, asked: ShownFrame, { fact }: Exchange): boolean {
  const at = leg.frames.indexOf(asked);
  return at !== -1 && leg.frames.findLastIndex(({ id }) => id !== undefined && id === fact.cursor) >= at;
}

function unitOf(stream: Stream): Unit {
  const [call] = stream.calls;
  return call === undefined ? { session: stream.session, stream } : { call };
}
