/** Sessions by id, and which stream a GET means to resume. */
import type { AffectedRequest, Failure } from './failure.ts';
import { createStream, cursorOf, type GuardedStream, rewind } from './stream.ts';

/** A request on its way whose response head has not come. */
export interface InFlight {
  readonly requests: readonly AffectedRequest[];
  /** Answers it now, in the server's place. */
  end(): void;
}

export interface Session {
  /** Undefined: the server gave none. Its clients cannot be told apart, so nothing is concluded across streams. */
  readonly id: string | undefined;
  readonly url: string;
  readonly streams: Set<GuardedStream>;
  readonly inFlight: Set<InFlight>;
  /** Epoch tag of its event ids, once one was seen. */
  epoch: string | undefined;
  /** Why it is refused from now on. */
  ended: Failure | undefined;
  /** Errors that found no way to the client yet. */
  undelivered: Uint8Array | undefined;
}

export interface Sessions {
  /** Makes one where none is known. */
  of(origin: string, id: string | undefined, url: string): Session;
  /** A session began; one that ended under the same id is forgotten. */
  open(origin: string, id: string | undefined, url: string): Session;
  close(origin: string, id: string | undefined): void;
}

/** Bounds for programs that run for months; the oldest go first. */
const maxSessions = 1000;
const maxStreams = 256;

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();

  function open(origin: string, id: string | undefined, url: string): Session {
    const key = keyOf(origin, id);
    const session: Session = {
      id,
      url,
      streams: new Set(),
      inFlight: new Set(),
      epoch: undefined,
      ended: undefined,
      undelivered: undefined,
    };
    sessions.delete(key);
    sessions.set(key, session);
    if (sessions.size > maxSessions) sessions.delete(sessions.keys().next().value!);
    return session;
  }

  return {
    open,
    of: (origin, id, url) => sessions.get(keyOf(origin, id)) ?? open(origin, id, url),
    close: (origin, id) => void sessions.delete(keyOf(origin, id)),
  };
}

function keyOf(origin: string, id: string | undefined): string {
  return `${origin} ${id ?? ''}`;
}

export function addStream(session: Session, stream: GuardedStream): GuardedStream {
  session.streams.add(stream);
  if (session.streams.size > maxStreams) {
    for (const old of session.streams) {
      if (session.streams.size <= maxStreams) break;
      if (old.leg === undefined && old.pending.size === 0) session.streams.delete(old);
    }
  }
  return stream;
}

/**
 * The stream that a GET means, whose cursor is then what `Last-Event-ID` has to say:
 *
 * - the cursor is a stream's own;
 * - it is an earlier event of a stream: the client did not get further;
 * - it is the id of a half-delivered event: the cursor before that counts (WHATWG HTML 9.2.6);
 * - there is none, and a stream broke off in a leg that brought no id: the official SDKs forget the cursor
 *   then. Of several such streams the one that broke first, since they all wait equally long;
 * - it is unknown: kept by the client from before the guard was there.
 */
export function streamToResume(session: Session, presented: string): GuardedStream {
  const streams = [...session.streams].reverse();
  if (presented === '') {
    const [lost] = streams
      .filter((each) => each.leg === undefined && !each.asked && !each.legHadId && isOwed(each))
      .sort((one, other) => one.endedAt - other.endedAt);
    return lost ?? addStream(session, createStream('GET', []));
  }
  const exact = streams.find((stream) => sameId(presented, cursorOf(stream)));
  if (exact !== undefined) return exact;
  const half = streams.find(({ halfId }) => halfId !== undefined && sameId(presented, halfId));
  if (half !== undefined) return half;
  const earlier = streams.find((stream) => stream.memory.find(presented) !== undefined);
  if (earlier !== undefined) {
    // An empty id took the cursor back on purpose; the official SDKs overlook that.
    if (cursorOf(earlier) !== '') rewind(earlier, presented);
    return earlier;
  }
  return addStream(session, createStream('GET', [], presented));
}

/** Somebody may come back for it. A stream that failed is known by the id of its error event. */
function isOwed(stream: GuardedStream): boolean {
  if (stream.letGo || stream.failed !== undefined) return stream.undelivered !== undefined;
  return stream.pending.size > 0 || stream.born === 'GET';
}

/** HTTP trims header values; a client that sends UTF-8 in one shows it as Latin-1 (WHATWG HTML 9.2.3, Fetch). */
export function sameId(presented: string, id: string): boolean {
  if (presented === id || presented === id.trim()) return true;
  if (!/[^\0-\x7f]/.test(id)) return false;
  return presented === String.fromCharCode(...new TextEncoder().encode(id));
}
