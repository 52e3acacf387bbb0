/**
 * The embedded upstream: a real, resumable MCP server on the official SDK, for everybody who has no server
 * at hand. It must be beyond reproach, since whatever it does wrong would be blamed on the client.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { foreignAddress, isLoopback } from '../proxy/guard-own-address.ts';
import type { Sessions } from './sessions.ts';

export interface EmbeddedOptions {
  /** Address to bind (default 127.0.0.1). Off loopback, Host and Origin are not checked. */
  readonly host?: string;
  /** Default 0: a free port. */
  readonly port?: number;
  /** Reconnection time sent as `retry` in priming events, in ms (default 100; clients wait 1000 without). */
  readonly retryMs?: number;
}

export interface EmbeddedServer {
  /** The MCP endpoint. */
  readonly url: string;
  readonly port: number;
  /** Loads what the first request needs, where that has not come yet. */
  warm(): void;
  /** Ends every session and connection. */
  close(): Promise<void>;
}

/** Rejects with Node's own error (`EADDRINUSE`, …) where it cannot listen. */
export async function startEmbeddedServer(options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const { host = '127.0.0.1', port = 0, retryMs = 100 } = options;
  let sessions: Promise<Sessions> | undefined;
  const loaded = (): Promise<Sessions> => {
    sessions ??= load(retryMs);
    return sessions;
  };
  const guarded = isLoopback(host);
  const server = createServer((request, response) => {
    const foreign = guarded ? foreignAddress(request.headers, host) : undefined;
    if (foreign !== undefined) return answer(response, 403, foreign);
    route(request, response, loaded).catch((error: unknown) => fail(response, error));
  });
  await listen(server, port, host);
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}/mcp`,
    port: actual,
    // Whoever asks next is told of a failure.
    warm: () => void loaded().catch(() => {}),
    async close() {
      await (await sessions?.catch(() => undefined))?.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The server SDK takes longer to load than all of ours, and a client needs that long to start as well. */
async function load(retryMs: number): Promise<Sessions> {
  const [{ createSessions }, { createWorld }] = await Promise.all([
    import('./sessions.ts'),
    import('./world.ts'),
  ]);
  return createSessions(createWorld(), retryMs);
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  loaded: () => Promise<Sessions>,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/mcp') return (await loaded()).handle(request, response);
  if (pathname === '/health') return answer(response, 200, 'ok');
  answer(response, 404, `nothing at ${pathname}; the MCP endpoint is /mcp`);
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy();
  else answer(response, 500, `the embedded server failed: ${String(error)}`);
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
