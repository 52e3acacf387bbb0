/**
 * A logical SSE stream over all its resumptions, and what of it the client was shown. Each resumption is a
 * leg; the client's right cursor is carried from leg to leg.
 */
import type { Message } from '../../mcp/message.ts';
import { type Cursor, createCursor } from '../../sse/last-event-id.ts';
import type { Frame } from './body-reader.ts';
import type { Call } from './call.ts';
import type { Exchange, Spot } from './exchange.ts';
import type { Session } from './session.ts';

/** A block as the client was shown it. */
export interface ShownFrame extends Frame, Spot {
  readonly decision: string | undefined;
}

export interface Leg {
  readonly stream: Stream;
  readonly exchange: Exchange;
  /** 0 = the exchange the stream was born in. */
  readonly attempt: number;
  readonly start: Spot;
  /** `Last-Event-ID` as it was sent; `''` without one. */
  readonly sentCursor: string;
  /** What a coherent resumption would have delivered at once; undefined where only upstream knows. */
  coherent: { readonly ids: readonly string[]; readonly answers: boolean } | undefined;
  /** The stream's `numbered` at that moment. */
  numberedBefore: number;
  /** Ids of it that are still to come. */
  owed: Set<string> | undefined;
  /**
   * Nothing is left to be resumed: the first event after the reconnect has been shown (seed 1 compares that one, and
   * no later one), and so has all that was due then.
   */
  live: boolean;
  from: 'store' | 'upstream' | undefined;
  readonly frames: ShownFrame[];
  /** The client's right cursor; see `acceptableCursors` for what a reset may have lost. */
  readonly cursor: Cursor;
  /** An id in a block whose blank line never came. */
  unfinishedId: string | undefined;
}

/** What upstream had to say on a stream, by weight: README, outcomes, `accepted`. */
export type Weight = 'answer' | 'request' | 'state' | 'progress';

export interface Stream {
  readonly id: string;
  readonly born: 'POST' | 'GET';
  readonly session: Session;
  /** Requests that it is to answer. */
  readonly calls: readonly Call[];
  readonly legs: Leg[];
  /** The session's incarnation that it was born in. */
  readonly epoch: number;
  /** Ids that were shown, each with the content it came with first. */
  readonly shown: Map<string, string | undefined>;
  /** Its ids broke the contract while it was live: whoever leaves it has a reason. */
  outOfContract: boolean;
  /** The client came back to it earlier than `retry` said. */
  hurried: boolean;
  /** It was resumed although its answer had come. */
  afterAnswer: boolean;
  /** What upstream sent, by content. */
  readonly sent: Map<string, Weight>;
  /** Events that upstream has sent so far: a proxy that owns the ids has given each of them one. */
  numbered: number;
}

export function createStream(id: string, exchange: Exchange): Stream {
  return {
    id,
    born: exchange.fact.verb === 'GET' ? 'GET' : 'POST',
    session: exchange.session,
    calls: exchange.calls,
    legs: [],
    epoch: exchange.session.epoch,
    shown: new Map(),
    outOfContract: false,
    hurried: false,
    afterAnswer: false,
    sent: new Map(),
    numbered: 0,
  };
}

export function addLeg(stream: Stream, exchange: Exchange, start: Spot, attempt = stream.legs.length): Leg {
  const sentCursor = exchange.fact.cursor ?? '';
  const cursor = createCursor();
  if (sentCursor !== '') cursor.take({ id: sentCursor });
  const leg: Leg = {
    stream,
    exchange,
    attempt,
    start,
    sentCursor,
    coherent: undefined,
    numberedBefore: stream.numbered,
    owed: undefined,
    live: sentCursor === '',
    from: undefined,
    frames: [],
    cursor,
    unfinishedId: undefined,
  };
  stream.legs.push(leg);
  exchange.leg = leg;
  return leg;
}

export function showFrame(leg: Leg, frame: ShownFrame): void {
  leg.frames.push(frame);
  if (frame.id !== undefined) {
    leg.cursor.take({ id: frame.id });
    if (frame.id !== '') {
      if (!leg.stream.shown.has(frame.id)) leg.stream.shown.set(frame.id, frame.content);
      leg.stream.session.idOwners.set(frame.id, leg.stream);
      leg.owed?.delete(frame.id);
      leg.live ||= leg.owed?.size === 0;
    }
  }
}

export function weightOf(messages: readonly Message[]): Weight {
  if (messages.some((message) => message.type === 'response')) return 'answer';
  if (messages.some((message) => message.type === 'request')) return 'request';
  const onlyTalk = messages.every(
    (message) =>
      message.type === 'notification' &&
      (message.method === 'notifications/progress' || message.method === 'notifications/message'),
  );
  return onlyTalk ? 'progress' : 'state';
}

const heaviestFirst: readonly Weight[] = ['answer', 'request', 'state', 'progress'];

/** The heaviest thing that upstream sent on this stream and the client was never shown, or never took. */
export function lostOn(stream: Stream): Weight | undefined {
  const taken = takenOn(stream);
  let worst: Weight | undefined;
  for (const [content, weight] of stream.sent) {
    if (worst !== undefined && heaviestFirst.indexOf(weight) >= heaviestFirst.indexOf(worst)) continue;
    if (!taken.has(content)) worst = weight;
  }
  return worst;
}

/** Stand-alone streams follow each other: a later one may show what an earlier one was sent. */
function takenOn(stream: Stream): ReadonlySet<string> {
  const streams =
    stream.born === 'POST' ? [stream] : [...stream.session.streams].filter(({ born }) => born === 'GET');
  const taken = new Set<string>();
  for (const { content } of streams.flatMap(({ legs }) => legs.flatMap(takenFrom))) {
    if (content !== undefined) taken.add(content);
  }
  return taken;
}

/**
 * What was shown on a leg, but for what the client says itself that it has not: of a leg that it left, or that
 * a reset cut short, it may have read any part, and the cursor that it resumed with says which.
 */
function takenFrom(leg: Leg): readonly ShownFrame[] {
  const { end } = leg.exchange;
  if (end === undefined || (end.by !== 'client' && end.how !== 'reset')) return leg.frames;
  const disowned = new Set(leg.stream.legs.flatMap((later) => disownedBy(later, leg)));
  return leg.frames.filter((frame) => !disowned.has(frame));
}

/** What had been shown on a leg behind the cursor with which the client asked for another. */
function disownedBy({ sentCursor, exchange }: Leg, leg: Leg): readonly ShownFrame[] {
  const had = leg.frames.filter((frame) => frame.seq < exchange.start.seq);
  const last = had.findLastIndex((frame) => frame.id === sentCursor);
  if (last === -1 && sentCursor !== leg.sentCursor) return [];
  // What comes without an id may belong to the event before it.
  const first = had.findIndex((frame, at) => at > last && frame.id !== undefined);
  return first === -1 ? [] : had.slice(first);
}

export function lastLeg(stream: Stream): Leg | undefined {
  return stream.legs.at(-1);
}
