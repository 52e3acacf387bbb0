/**
 * Lanes: what a request belongs to inside a scope. A session where the protocol has them, else the
 * client's connection. Names are ordinals inside the scope, so they do not depend on other scopes.
 */

import { createReplayStore, type ReplayStore } from '../cursor/replay-store.ts';
import { type CallLane, noCalls } from '../schedule/lane.ts';
import type { RawHeaders } from './headers.ts';
import type { LogicalStream } from './stream.ts';
import type { UpstreamAddress } from './upstream-link.ts';

export interface Lane extends CallLane {
  readonly upstream: UpstreamAddress;
  /** The session id the client knows; upstream's own may differ after a restart. */
  clientSession: string | undefined;
  upstreamSession: string | undefined;
  /** Negotiated revision, read from the answer to `initialize`. */
  revision: string | undefined;
  /** Incarnation of the session's event numbering, from 1. */
  epoch: number;
  /** Set once a fault has ended the session: every request with its id gets this status. */
  refused: { readonly status: number; readonly decision: string } | undefined;
  /** The decision of another lane that ended the process its session lived in. */
  endedBy: string | undefined;
  /** The client's own handshake, kept to negotiate a new upstream session with. */
  handshake:
    | { readonly path: string; readonly headers: RawHeaders; readonly initialize: Uint8Array }
    | undefined;
  /** Session-wide event counter for contract `monotonic:session`. */
  events: number;
  streamCount: number;
  store: ReplayStore;
  /** What the store has let go of, and the number of events at which that is recorded next. */
  readonly evicted: { events: number; bytes: number; reportAt: number };
  /** Ids as they were shown, altered or not, newest owner of each. */
  readonly shown: Map<string, { readonly stream: LogicalStream; readonly index: number }>;
  readonly streams: Map<string, LogicalStream>;
  /** The stream that upstream's stand-alone GET feeds. */
  standalone: LogicalStream | undefined;
  /** A stand-alone GET that upstream has not answered yet; a second one at once would be refused. */
  opening: Promise<unknown> | undefined;
  /** POST requests under way, to notice lanes of one scope that overlap. */
  inFlight: number;
}

export interface Lanes {
  /** Forgets what an ended incarnation had sent. */
  forget(lane: Lane): void;
  /** By the origin of the server that gave the id. */
  bySession(origin: string, session: string): Lane | undefined;
  /** A lane for a session that the client is about to negotiate. */
  born(upstream: UpstreamAddress, scope: string): Lane;
  /** A lane for traffic without a session: one for each client connection. */
  ofConnection(upstream: UpstreamAddress, scope: string, connection: number): Lane;
  /** A session the proxy did not see begin. */
  adopt(upstream: UpstreamAddress, scope: string, session: string): Lane;
  register(lane: Lane, clientSession: string): void;
  /** A further id under which the client may come back. */
  alias(lane: Lane, session: string): void;
  /** Two lanes of one scope are at work at once: their ordinals depend on timing. */
  overlap(lane: Lane): boolean;
  all(): Iterable<Lane>;
}

export function createLanes(bounds: { readonly maxEvents: number; readonly maxBytes: number }): Lanes {
  const sessions = new Map<string, Lane>();
  const connections = new Map<string, Lane>();
  const scopes = new Map<string, { sessions: number; connections: number; lanes: Lane[] }>();

  function scopeOf(
    upstream: UpstreamAddress,
    scope: string,
  ): { sessions: number; connections: number; lanes: Lane[] } {
    const key = `${upstream.name}\n${scope}`;
    let state = scopes.get(key);
    if (state === undefined) {
      state = { sessions: 0, connections: 0, lanes: [] };
      scopes.set(key, state);
    }
    return state;
  }

  function open(upstream: UpstreamAddress, scope: string, name: string): Lane {
    const lane: Lane = {
      upstream,
      scope,
      name,
      clientSession: undefined,
      upstreamSession: undefined,
      revision: undefined,
      epoch: 1,
      refused: undefined,
      endedBy: undefined,
      handshake: undefined,
      events: 0,
      streamCount: 0,
      store: createReplayStore(bounds),
      evicted: { events: 0, bytes: 0, reportAt: 1 },
      shown: new Map(),
      streams: new Map(),
      standalone: undefined,
      opening: undefined,
      ...noCalls(),
      inFlight: 0,
    };
    scopeOf(upstream, scope).lanes.push(lane);
    return lane;
  }

  const lanes: Lanes = {
    forget(lane) {
      lane.store = createReplayStore(bounds);
    },
    bySession: (origin, session) => sessions.get(sessionKey(origin, session)),
    born(upstream, scope) {
      const state = scopeOf(upstream, scope);
      state.sessions += 1;
      return open(upstream, scope, `s${state.sessions}`);
    },
    ofConnection(upstream, scope, connection) {
      const key = `${upstream.name}\n${scope}\n${connection}`;
      let lane = connections.get(key);
      if (lane === undefined) {
        const state = scopeOf(upstream, scope);
        state.connections += 1;
        lane = open(upstream, scope, `c${state.connections}`);
        connections.set(key, lane);
      }
      return lane;
    },
    adopt(upstream, scope, session) {
      const lane = lanes.born(upstream, scope);
      lanes.register(lane, session);
      return lane;
    },
    register(lane, clientSession) {
      lane.clientSession = clientSession;
      lane.upstreamSession = clientSession;
      sessions.set(sessionKey(lane.upstream.url.origin, clientSession), lane);
    },
    alias(lane, session) {
      sessions.set(sessionKey(lane.upstream.url.origin, session), lane);
    },
    overlap(lane) {
      return (
        lane.inFlight > 0 &&
        scopeOf(lane.upstream, lane.scope).lanes.some((other) => other !== lane && other.inFlight > 0)
      );
    },
    *all() {
      for (const state of scopes.values()) yield* state.lanes;
    },
  };
  return lanes;
}

/** Two servers may well hand out the same id. */
function sessionKey(origin: string, session: string): string {
  return `${origin}\n${session}`;
}

/** Reads the negotiated revision from the answer to `initialize`, never from configuration. */
export function learnRevision(lane: Lane, method: string, bytes: Uint8Array): void {
  if (method !== 'initialize' || lane.revision !== undefined) return;
  lane.revision = /"protocolVersion"\s*:\s*"([0-9-]+)"/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
}
