/**
 * Sessions by id: one transport and one server each.
 *
 * 2025-11-25, basic/transports, Session Management: the id is given with the answer to `initialize`; an id
 * that is unknown or was ended gets 404, a request that should carry one and does not gets 400.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { endReplayedStream } from './ended-stream.ts';
import { createEventStore, type MemoryEventStore } from './event-store.ts';
import { createReferenceServer } from './reference-server.ts';
import type { World } from './world.ts';

interface Session {
  readonly transport: StreamableHTTPServerTransport;
  readonly store: MemoryEventStore;
  /** Requests being answered at this moment. */
  open: number;
  /** Monotonic time of the last request, in ms. */
  usedAt: number;
}

export interface Sessions {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Clients that never say goodbye must not fill the memory of a long run. */
const idleLimitMs = 10 * 60_000;

export function createSessions(world: World, retryMs: number | undefined): Sessions {
  const sessions = new Map<string, Session>();

  async function open(): Promise<Session> {
    const { mcp, release } = createReferenceServer(world);
    const store = createEventStore();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: store,
      ...(retryMs !== undefined && { retryInterval: retryMs }),
      onsessioninitialized: (id) => {
        sessions.set(id, session);
      },
    });
    const session: Session = { transport, store, open: 0, usedAt: performance.now() };
    transport.onclose = () => {
      release();
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    // The SDK's own class does not satisfy its own interface under exactOptionalPropertyTypes.
    await mcp.connect(transport as Transport);
    return session;
  }

  async function closeIdle(): Promise<void> {
    for (const session of [...sessions.values()]) {
      if (session.open === 0 && performance.now() - session.usedAt > idleLimitMs)
        await session.transport.close();
    }
  }

  return {
    async handle(request, response) {
      const id = request.headers['mcp-session-id'];
      const known = typeof id === 'string' ? sessions.get(id) : undefined;
      if (id !== undefined && known === undefined) return refuse(response, 404, 'Session not found');
      // Only `initialize` may come without a session; the transport says 400 to everything else.
      if (known === undefined) await closeIdle();
      const session = known ?? (await open());
      session.open += 1;
      try {
        endReplayedStream(request, response, session.store);
        await session.transport.handleRequest(request, response);
      } finally {
        session.open -= 1;
        session.usedAt = performance.now();
        // No session came of it: release what `open` made.
        if (session.transport.sessionId === undefined) await session.transport.close();
      }
    },
    async close() {
      for (const session of [...sessions.values()]) await session.transport.close();
    },
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32001, message }, id: null }));
}
