/** MCP on raw sockets: what a client of a session sends, and nothing hidden of what it is shown. */
import { type RawExchange, rawRequest } from './raw-http.ts';

interface RawMcp {
  readonly port: number;
  readonly scope?: string | undefined;
  readonly session?: string | undefined;
  /** `Last-Event-ID`. */
  readonly cursor?: string | undefined;
  /** Its `jsonrpc` is added; a GET without one. */
  readonly message?: object | undefined;
}

/** Sends the request and returns at once. */
export function askMcp({ port, scope, session, cursor, message }: RawMcp): RawExchange {
  return rawRequest({
    port,
    verb: message === undefined ? 'GET' : 'POST',
    path: scope === undefined ? '/mcp' : `/s/${encodeURIComponent(scope)}/mcp`,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(message === undefined ? {} : { 'content-type': 'application/json' }),
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
      ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
    },
    ...(message === undefined ? {} : { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
  });
}

/** Begins a session and returns its id. */
export async function beginSession(port: number, scope?: string): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  };
  const born = askMcp({ port, scope, message: { id: 0, method: 'initialize', params } });
  await whole(born);
  born.close();
  return sessionOf(born)!;
}

/** The session id in the response. */
export function sessionOf(exchange: RawExchange): string | undefined {
  return exchange.headers().find(([name]) => name.toLowerCase() === 'mcp-session-id')?.[1];
}

/** Waits until the body has come to its proper end. */
export function whole(exchange: RawExchange): Promise<void> {
  return exchange.until(({ body }) => body().whole);
}
