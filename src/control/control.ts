/**
 * The control address: where the wrapped command says what became of its calls and tests.
 *
 * Loopback only. The token in the path is the authority, and it can do nothing but mark. A browser page
 * on a foreign origin, or a name rebound to 127.0.0.1, is refused before the path is looked at.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { FactBody } from '../history/fact.ts';
import { foreignAddress } from '../proxy/guard-own-address.ts';
import { parseMark } from './mark-message.ts';
import { sameToken } from './same-token.ts';

export interface Control {
  /** `http://127.0.0.1:PORT/TOKEN`: POST to `/mark` below it, or open it as a WebSocket. */
  readonly url: string;
  close(): Promise<void>;
}

/** A mark is some hundred bytes; nothing that comes here has a reason to be larger. */
const maxMarkBytes = 16 * 1024;
const host = '127.0.0.1';

export async function startControl(record: (body: FactBody) => number): Promise<Control> {
  const token = randomBytes(18).toString('base64url');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxMarkBytes });
  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => answer(response, 500, error.message));
  });
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refuse(request, token, '/mark');
    if (refusal !== undefined) return answer(response, refusal.status, refusal.why);
    if (request.method !== 'POST')
      return answer(response, 405, 'marks are sent with POST', { allow: 'POST' });
    const body = await readBody(request);
    if (body === undefined)
      return answer(response, 413, `a mark has at most ${maxMarkBytes} bytes`, { connection: 'close' });
    const parsed = parseMark(body);
    if (!parsed.ok) return answer(response, 400, parsed.problem);
    record(parsed.mark);
    response.writeHead(204).end();
  };

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = refuse(request, token, '');
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal.status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on('error', () => client.terminate());
      client.on('message', (data, isBinary) => {
        const parsed = isBinary
          ? { ok: false as const, problem: 'a mark is a text message' }
          : parseMark(String(data));
        if (parsed.ok) record(parsed.mark);
        else client.send(JSON.stringify({ error: parsed.problem }));
      });
    });
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://${host}:${port}/${token}`,
    async close() {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}

interface Refusal {
  readonly status: 403 | 404;
  readonly why: string;
}

/** `below` is the path that must follow the token. */
function refuse(request: IncomingMessage, token: string, below: string): Refusal | undefined {
  const foreign = foreignAddress(request.headers, host);
  if (foreign !== undefined) return { status: 403, why: foreign };
  const path = (request.url ?? '/').split('?', 1)[0]!;
  const [, given = '', ...rest] = path.split('/');
  if (!sameToken(given, token))
    return { status: 404, why: 'no such control address; use MCP_CHAOS_CONTROL as it was given' };
  const found = rest
    .map((part) => `/${part}`)
    .join('')
    .replace(/\/$/, '');
  if (found !== below)
    return { status: 404, why: `nothing at "${found}"; marks are posted to $MCP_CHAOS_CONTROL/mark` };
  return undefined;
}

/** The body as text, or undefined where it is longer than a mark may be. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes > maxMarkBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function answer(
  response: ServerResponse,
  status: number,
  why: string,
  headers: Record<string, string> = {},
): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${why}\n`);
}
