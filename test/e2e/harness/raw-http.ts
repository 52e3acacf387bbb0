/**
 * An HTTP client on a raw socket that hides nothing: which bytes arrived, in which pieces, and how the
 * connection ended. Fetch turns a FIN in mid-body and a reset into the same error.
 */
import { connect, type Socket } from 'node:net';
import { decodeChunks } from './scripted-server.ts';

export interface RawRequest {
  readonly port: number;
  readonly verb?: string;
  readonly path?: string;
  /** Added to `host` and, with a body, `content-length`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How the peer ended the connection; `open` = it has not. */
export type Seen = 'fin' | 'reset' | 'open';

export interface RawExchange {
  /** Everything that arrived so far, head included. */
  bytes(): Buffer;
  /** The pieces that the socket delivered. */
  readonly pieces: readonly { readonly bytes: Buffer; readonly atMs: number }[];
  /** Status, 0 while the head has not arrived. */
  status(): number;
  /** Header lines as sent, in order. */
  headers(): readonly (readonly [name: string, value: string])[];
  /** The body so far, taken out of its chunked encoding; `whole` = its proper end was there. */
  body(): { readonly bytes: Buffer; readonly whole: boolean };
  /** Waits until what arrived satisfies `test`; rejects after `withinMs` and says what did arrive. */
  until(test: string | RegExp | ((exchange: RawExchange) => boolean), withinMs?: number): Promise<void>;
  /** The ending, or `open` when there is none within `withinMs` (default 2000). */
  ending(withinMs?: number): Promise<Seen>;
  send(bytes: string | Uint8Array): void;
  /** Ends our side; `reset` as a vanished client does. */
  close(how?: 'fin' | 'reset'): void;
  /** The pieces as they come, until the connection ends. */
  [Symbol.asyncIterator](): AsyncIterator<Buffer>;
}

/** Sends the request and returns at once. */
export function rawRequest(request: RawRequest): RawExchange {
  const { port, verb = 'GET', path = '/', headers = {}, body } = request;
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${verb} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
  return watch(socket);
}

function watch(socket: Socket): RawExchange {
  const began = performance.now();
  const pieces: { bytes: Buffer; atMs: number }[] = [];
  let seen: Seen = 'open';
  let wake: () => void = () => {};
  let changed = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const change = () => {
    wake();
    changed = new Promise((resolve) => {
      wake = resolve;
    });
  };
  socket.on('data', (bytes) => {
    pieces.push({ bytes, atMs: performance.now() - began });
    change();
  });
  socket.on('end', () => {
    if (seen === 'open') seen = 'fin';
    change();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // EPIPE is ours: we wrote after the peer had gone.
    if (error.code === 'ECONNRESET') seen = 'reset';
    change();
  });

  /** False when `withinMs` passed first. */
  async function settle(test: () => boolean, withinMs: number): Promise<boolean> {
    const late = Symbol('late');
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<symbol>((resolve) => {
      timer = setTimeout(resolve, withinMs, late);
    });
    try {
      while (!test()) if ((await Promise.race([changed, timeout])) === late) return false;
      return true;
    } finally {
      clearTimeout(timer);
    }
  }

  const exchange: RawExchange = {
    pieces,
    bytes: () => Buffer.concat(pieces.map(({ bytes }) => bytes)),
    status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(splitHead(exchange.bytes())?.head ?? '')?.[1] ?? 0),
    headers: () =>
      (splitHead(exchange.bytes())?.head ?? '')
        .split('\r\n')
        .slice(1)
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const),
    body() {
      const rest = splitHead(exchange.bytes())?.rest ?? Buffer.alloc(0);
      const header = (wanted: string) =>
        exchange.headers().find(([name]) => name.toLowerCase() === wanted)?.[1];
      if (header('transfer-encoding') === 'chunked') return decodeChunks(rest);
      const length = header('content-length');
      return { bytes: rest, whole: length === undefined ? seen === 'fin' : rest.length >= Number(length) };
    },
    async until(test, withinMs = 5000) {
      const satisfied = () => {
        if (typeof test === 'function') return test(exchange);
        const text = exchange.bytes().toString('utf8');
        return typeof test === 'string' ? text.includes(test) : test.test(text);
      };
      if (await settle(satisfied, withinMs)) return;
      throw new Error(
        `not within ${withinMs} ms: ${test}\nconnection ${seen}, arrived:\n${exchange.bytes().toString('utf8')}`,
      );
    },
    async ending(withinMs = 2000) {
      await settle(() => seen !== 'open', withinMs);
      return seen;
    },
    send: (bytes) => void socket.write(bytes),
    close(how = 'fin') {
      if (how === 'reset') socket.resetAndDestroy();
      else socket.destroy();
    },
    async *[Symbol.asyncIterator]() {
      for (let next = 0; ; ) {
        const piece = pieces[next];
        if (piece !== undefined) {
          next += 1;
          yield piece.bytes;
        } else if (seen !== 'open') return;
        else await changed;
      }
    },
  };
  return exchange;
}

function splitHead(bytes: Buffer): { head: string; rest: Buffer } | undefined {
  const cut = bytes.indexOf('\r\n\r\n');
  if (cut === -1) return undefined;
  return { head: bytes.subarray(0, cut).toString('latin1'), rest: bytes.subarray(cut + 4) };
}
