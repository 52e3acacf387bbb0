/**
 * An upstream on a raw socket whose answers are scripts: these bytes, this pause, this ending. For what no
 * HTTP library would send on purpose, and for byte identity, where a library on this side would hide faults.
 */

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

export interface ScriptedRequest {
  /** From 0, in order of arrival. */
  readonly index: number;
  readonly verb: string;
  readonly path: string;
  /** Lower-case names; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as a JSON-RPC message; undefined where it is not JSON. */
  readonly json: Message | undefined;
  /** Monotonic ms. */
  readonly at: number;
  /** Settles when the client's side of the connection is gone. */
  readonly gone: Promise<void>;
}

/** `complete` = the script's last word, the connection stays for the next request; `stall` = open and silent. */
export type Ending = 'complete' | 'fin' | 'reset' | 'stall';
export type Step =
  | { readonly do: 'write'; readonly bytes: Uint8Array }
  | { readonly do: 'pause'; readonly ms: number }
  | { readonly do: 'end'; readonly how: Ending };

export const write = (bytes: Uint8Array | string): Step => ({ do: 'write', bytes: Buffer.from(bytes) });
export const pause = (ms: number): Step => ({ do: 'pause', ms });
export const end = (how: Ending): Step => ({ do: 'end', how });

export type Script = (request: ScriptedRequest) => Iterable<Step> | AsyncIterable<Step>;

export interface ScriptedServer {
  readonly origin: string;
  /** `origin` and `/mcp`. */
  readonly url: string;
  readonly port: number;
  /** Every request that arrived, oldest first. */
  readonly requests: readonly ScriptedRequest[];
  /** Connections that are open now. */
  connections(): number;
  close(): Promise<void>;
}

/** Runs `script` for each request, one request after another on a connection. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    const gone = new Promise<void>((resolve) => {
      socket.on('close', () => {
        sockets.delete(socket);
        resolve();
      });
    });
    // A reset by the client is news for the script (through `gone`), not an error of the server.
    socket.on('error', () => {});
    let buffered: Buffer = Buffer.alloc(0);
    let answered: Promise<void> = Promise.resolve();
    // By events and not by iteration: while a script runs, the end of the client's side must be noticed.
    socket.on('data', (bytes) => {
      buffered = Buffer.concat([buffered, bytes]);
      for (let parsed = parseRequest(buffered); parsed !== undefined; parsed = parseRequest(buffered)) {
        buffered = parsed.rest;
        const request = { ...parsed.request, index: requests.length, at: performance.now(), gone };
        requests.push(request);
        answered = answered.then(() => answer(socket, script(request)));
      }
    });
  });

  async function answer(socket: Socket, steps: Iterable<Step> | AsyncIterable<Step>): Promise<void> {
    for await (const step of steps) {
      if (step.do === 'write') await flush(socket, step.bytes);
      else if (step.do === 'pause') await sleep(step.ms);
      else if (step.how === 'fin') socket.end();
      else if (step.how === 'reset') {
        // A reset in the turn of the last write is sent as a FIN on Node 20.
        await sleep(5);
        socket.resetAndDestroy();
      }
      if (step.do === 'end') return step.how === 'complete' ? undefined : new Promise(() => {});
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    url: `${origin}/mcp`,
    port,
    requests,
    connections: () => sockets.size,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function flush(socket: Socket, bytes: Uint8Array): Promise<void> {
  // A client that left must not end the script: what it would have sent is simply lost.
  return new Promise((resolve) => socket.write(bytes, () => resolve()));
}

function parseRequest(bytes: Buffer) {
  const cut = bytes.indexOf('\r\n\r\n');
  if (cut === -1) return undefined;
  const [start = '', ...lines] = bytes.subarray(0, cut).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  const after = bytes.subarray(cut + 4);
  const content =
    headers['transfer-encoding'] === 'chunked'
      ? decodeChunks(after)
      : takeBytes(after, Number(headers['content-length'] ?? 0));
  if (content === undefined || !content.whole) return undefined;
  const body = content.bytes.toString('utf8');
  const [verb = '', path = ''] = start.split(' ');
  return { rest: content.rest, request: { verb, path, headers, body, json: parseJson(body) } };
}

function takeBytes(bytes: Buffer, length: number) {
  if (bytes.length < length) return undefined;
  return { bytes: bytes.subarray(0, length), rest: bytes.subarray(length), whole: true };
}

function parseJson(text: string): Message | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Decodes a chunked body as far as it goes. `whole` = its last chunk was there. */
export function decodeChunks(bytes: Buffer): { bytes: Buffer; rest: Buffer; whole: boolean } {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const cut = bytes.indexOf('\r\n', at);
    const size = cut === -1 ? Number.NaN : Number.parseInt(bytes.subarray(at, cut).toString('latin1'), 16);
    if (Number.isNaN(size)) return { bytes: Buffer.concat(parts), rest: bytes.subarray(at), whole: false };
    if (size === 0 && bytes.length >= cut + 4) {
      return { bytes: Buffer.concat(parts), rest: bytes.subarray(cut + 4), whole: true };
    }
    parts.push(bytes.subarray(cut + 2, cut + 2 + size));
    if (size === 0 || bytes.length < cut + 2 + size + 2) {
      return { bytes: Buffer.concat(parts), rest: Buffer.alloc(0), whole: false };
    }
    at = cut + 2 + size + 2;
  }
}
