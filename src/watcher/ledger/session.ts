/** One session as the client knows it; where upstream has none, all such traffic of a scope. */
import { type Call, idKey } from './call.ts';
import type { Exchange, Spot } from './exchange.ts';
import type { Stream } from './stream.ts';

export interface Session {
  /** Hash of the session id; null without one. */
  pseudonym: string | null;
  readonly upstream: string;
  /** Where it began. */
  readonly scope: string;
  /** All from which it was used: a hook's session serves many tests. */
  readonly scopes: Set<string>;
  readonly born: Spot;
  /** The `initialize` that began it; undefined where it was there before the run. */
  initialize: Call | undefined;
  /** The first session of the client object, where this one is known to be its next. */
  origin: Session | undefined;
  /** Negotiated, as the client was shown it; else as the client said it later. */
  revision: string | undefined;
  /** Incarnation behind the client's id, from 1. */
  epoch: number;
  readonly calls: Map<string, Call>;
  readonly open: Set<Exchange>;
  readonly streams: Set<Stream>;
  /** The newest stream on which each id was shown. */
  readonly idOwners: Map<string, Stream>;
  /** The client has sent a `Last-Event-ID`. */
  usesCursors: boolean;
  /** Asked for something that lives in the session: a subscription, a log level. */
  keepsState: boolean;
  /** More than one call was open at a time. */
  concurrent: boolean;
  /** Highest numeric JSON-RPC id; undefined where an id was not a number. */
  highestId: number | undefined;
  /** Sequence number of the fact that told of its newest call. */
  lastCall: number;
  /** How upstream answers a GET without a cursor: `refused` = it offers no stand-alone stream. */
  standalone: 'unknown' | 'offered' | 'refused';
  deleted: Spot | undefined;
  /** A 404 to a request with its id was shown. */
  lost: Spot | undefined;
  countOf(key: string): number;
  addCall(call: Call): void;
  /** Keys of calls so far, with how often each was asked for. */
  readonly keys: ReadonlyMap<string, number>;
}

export interface SessionBirth {
  readonly pseudonym: string | null;
  readonly upstream: string;
  readonly scope: string;
  readonly born: Spot;
}

export function createSession(birth: SessionBirth): Session {
  const keys = new Map<string, number>();
  const session: Session = {
    pseudonym: birth.pseudonym,
    upstream: birth.upstream,
    scope: birth.scope,
    scopes: new Set([birth.scope]),
    born: birth.born,
    initialize: undefined,
    origin: undefined,
    revision: undefined,
    epoch: 1,
    calls: new Map(),
    open: new Set(),
    streams: new Set(),
    idOwners: new Map(),
    usesCursors: false,
    keepsState: false,
    concurrent: false,
    highestId: -1,
    lastCall: 0,
    standalone: 'unknown',
    deleted: undefined,
    lost: undefined,
    keys,
    countOf: (key) => keys.get(key) ?? 0,
    addCall(call) {
      session.calls.set(idKey(call.id), call);
      session.lastCall = call.seq;
      keys.set(call.key, (keys.get(call.key) ?? 0) + 1);
      if (typeof call.id !== 'number') session.highestId = undefined;
      else if (session.highestId !== undefined) session.highestId = Math.max(session.highestId, call.id);
    },
  };
  return session;
}

/** They may be of one client: the same server, asked from one scope at least. */
export function mayShareClient(one: Session, other: Session): boolean {
  if (one.upstream !== other.upstream) return false;
  for (const scope of one.scopes) if (other.scopes.has(scope)) return true;
  return false;
}
