/** Ties exchanges to logical streams, by what the proxy says and else by the cursor. */
import type { StreamResumedFact } from '../../history/fact.ts';
import type { Message } from '../../mcp/message.ts';
import { type Call, idKey } from './call.ts';
import type { Exchange, Spot } from './exchange.ts';
import type { Happening } from './happening.ts';
import type { Session } from './session.ts';
import { addLeg, createStream, type Leg, type ShownFrame, type Stream, showFrame } from './stream.ts';

export interface Streams {
  /** The response is a stream: a new one, or the next leg of the one that its cursor belongs to. */
  open(exchange: Exchange, spot: Spot, name: string | undefined): readonly Happening[];
  /** The proxy tied a GET to a stream. */
  resume(exchange: Exchange, spot: Spot, fact: StreamResumedFact): readonly Happening[];
  show(leg: Leg, frame: ShownFrame): readonly Happening[];
  /** The call that a client's message cancels. */
  cancel(session: Session, message: Message, spot: Spot): Call | undefined;
  readonly count: number;
}

/** The stream that a cursor was shown on, or would have been shown on had its event been finished. */
export function streamOfCursor(session: Session, cursor: string): Stream | undefined {
  const owner = session.idOwners.get(cursor);
  if (owner !== undefined) return owner;
  for (const stream of session.streams) {
    if (stream.legs.some((leg) => leg.unfinishedId === cursor)) return stream;
  }
  return undefined;
}

/** Asked before the frame is shown. The same content is the same event, wherever it comes again. */
function namesakeOf(stream: Stream, { id, content }: ShownFrame): Stream | undefined {
  if (id === undefined || id === '') return undefined;
  const owner = stream.shown.has(id) ? stream : stream.session.idOwners.get(id);
  return owner !== undefined && owner.shown.get(id) !== content ? owner : undefined;
}

export function createStreams(): Streams {
  const byName = new Map<string, Stream>();
  let count = 0;

  function create(name: string, exchange: Exchange): Stream {
    const stream = createStream(name, exchange);
    for (const call of exchange.calls) call.stream = stream;
    exchange.session.streams.add(stream);
    byName.set(name, stream);
    count += 1;
    return stream;
  }

  return {
    open(exchange, spot, name) {
      if (exchange.leg !== undefined) {
        if (name !== undefined && !byName.has(name)) byName.set(name, exchange.leg.stream);
        return [];
      }
      const { cursor, verb } = exchange.fact;
      const known =
        verb === 'GET' && cursor !== undefined ? streamOfCursor(exchange.session, cursor) : undefined;
      // A cursor that nobody knows begins a stream too, whose first leg is a resumption.
      const stream = known ?? create(name ?? `exchange ${exchange.n}`, exchange);
      if (name !== undefined) byName.set(name, stream);
      const leg = addLeg(stream, exchange, spot);
      if (known !== undefined) leg.from = 'upstream';
      return known === undefined ? [] : [{ ...spot, type: 'leg', leg }];
    },
    resume(exchange, spot, fact) {
      const stream =
        byName.get(fact.stream) ??
        streamOfCursor(exchange.session, exchange.fact.cursor ?? '') ??
        create(fact.stream, exchange);
      if (!byName.has(fact.stream)) byName.set(fact.stream, stream);
      const leg =
        exchange.leg?.stream === stream ? exchange.leg : addLeg(stream, exchange, spot, fact.attempt);
      leg.coherent = fact.coherent;
      leg.numberedBefore = stream.numbered;
      leg.owed = fact.coherent === undefined ? undefined : new Set(fact.coherent.ids);
      leg.from = fact.from;
      return [{ ...spot, type: 'leg', leg }];
    },
    show(leg, frame) {
      const { live } = leg;
      const namesake = namesakeOf(leg.stream, frame);
      showFrame(leg, frame);
      return [{ seq: frame.seq, at: frame.at, type: 'frame', leg, frame, live, namesake }];
    },
    cancel(session, message, spot) {
      if (message.type !== 'notification' || message.method !== 'notifications/cancelled') return undefined;
      const params = message.params as
        | { readonly requestId?: unknown; readonly reason?: unknown }
        | null
        | undefined;
      const id = params?.requestId;
      if (typeof id !== 'string' && typeof id !== 'number') return undefined;
      const call = session.calls.get(idKey(id));
      if (call === undefined || call.cancelled !== undefined) return undefined;
      call.cancelled = { ...spot, reason: typeof params?.reason === 'string' ? params.reason : '' };
      return call;
    },
    get count() {
      return count;
    },
  };
}
