/** Which lane a request belongs to: its session's, the one that it begins, or its connection's. */
import { readMessages } from '../mcp/message.ts';
import type { Incoming } from './exchange.ts';
import { headerOf, type RawHeaders, sessionHeader } from './headers.ts';
import type { Lane } from './lanes.ts';
import type { RunContext } from './run-context.ts';

export function laneOf(run: RunContext, incoming: Incoming, body: Buffer | undefined): Lane {
  const session = headerOf(incoming.headers, sessionHeader);
  if (session !== undefined)
    return (
      run.lanes.bySession(incoming.upstream.url.origin, session) ??
      run.lanes.adopt(incoming.upstream, incoming.scope, session)
    );
  const messages = body === undefined ? undefined : readMessages(body.toString('utf8'))?.messages;
  if (messages?.some((message) => message.type === 'request' && message.method === 'initialize') !== true) {
    // A client that is sent here shares its connections with all others of its process.
    const connection = incoming.by === 'own' ? incoming.connection : 0;
    return run.lanes.ofConnection(incoming.upstream, incoming.scope, connection);
  }
  const lane = run.lanes.born(incoming.upstream, incoming.scope);
  lane.handshake = { path: incoming.path, headers: incoming.headers, initialize: body! };
  return lane;
}

/** The answer to `initialize` says which session a lane is. */
export function learnSession(run: RunContext, incoming: Incoming, raw: RawHeaders): void {
  const session = headerOf(raw, sessionHeader);
  const { lane } = incoming;
  if (session === undefined || lane === undefined || lane.clientSession !== undefined) return;
  if (lane.handshake !== undefined) run.lanes.register(lane, session);
}
