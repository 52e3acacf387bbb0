/**
 * The client's side of one exchange: the only place that writes to a client, and so the only place that
 * records what a client was shown.
 */
import type { ServerResponse } from 'node:http';
import type { Ending, Side } from '../history/fact.ts';
import { toWire } from '../history/wire-bytes.ts';
import { sendFin, sendReset } from './endings.ts';
import { headerOf, journalHeaders, pseudonym, type RawHeaders, sessionHeader } from './headers.ts';
import type { Recorder } from './recorder.ts';
import type { UpstreamAddress } from './upstream-link.ts';

/** How long an ending waits for a slow reader before it goes out regardless. */
const flushWaitMs = 2000;

export interface ShownHead {
  readonly status: number;
  readonly message?: string;
  readonly headers: RawHeaders;
}

export interface ClientSide {
  readonly exchange: number;
  /** False once the response has ended, by whomever. */
  readonly open: boolean;
  readonly headSent: boolean;
  /** Returns the fact's number. */
  head(head: ShownHead, side: Side, decision?: string): number;
  /** The client reads more slowly than we write. */
  readonly slow: boolean;
  /** Returns false when the client reads too slowly; see `onceDrained`. */
  write(bytes: Uint8Array, side: Side, decision?: string): boolean;
  /** Without recording: traffic that is not MCP. */
  writeSilently(bytes: Uint8Array): boolean;
  end(how: Ending, side: Side, by: 'upstream' | 'proxy', decision?: string): Promise<number>;
  /** Calls back when the client has caught up, or is gone. */
  onceDrained(listener: () => void): void;
  /** The client closed the connection before the response had ended. */
  onAbort(listener: () => void): void;
  /** The exchange is over, in whatever way. */
  onClose(listener: () => void): void;
}

export function createClientSide(
  exchange: number,
  response: ServerResponse,
  upstream: UpstreamAddress,
  record: Recorder,
): ClientSide {
  let open = true;
  let unflushed = 0;
  let onFlush: (() => void) | undefined;
  const aborts: (() => void)[] = [];
  response.sendDate = false;
  response.on('error', () => {});
  response.on('close', () => {
    if (!open) return;
    open = false;
    record({ kind: 'end', exchange, side: 'client', how: 'fin', by: 'client' });
    onFlush?.();
    for (const listener of aborts) listener();
  });

  function send(bytes: Uint8Array): boolean {
    unflushed += 1;
    return response.write(bytes, () => {
      unflushed -= 1;
      if (unflushed === 0) onFlush?.();
    });
  }

  function flushed(): Promise<boolean> {
    if (unflushed === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), flushWaitMs);
      onFlush = () => settle(unflushed === 0);
      function settle(done: boolean): void {
        clearTimeout(timer);
        onFlush = undefined;
        resolve(done);
      }
    });
  }

  return {
    exchange,
    get open() {
      return open;
    },
    get slow() {
      return open && response.writableNeedDrain;
    },
    get headSent() {
      return response.headersSent;
    },
    head(head, side, decision) {
      const session = headerOf(head.headers, sessionHeader);
      const seq = record({
        kind: 'head',
        exchange,
        side,
        status: head.status,
        headers: journalHeaders(head.headers),
        ...(session === undefined ? {} : { session: pseudonym(session, upstream) }),
        ...(decision === undefined ? {} : { decision }),
      });
      if (!open) return seq;
      if (head.message === undefined) response.writeHead(head.status, head.headers as string[]);
      else response.writeHead(head.status, head.message, head.headers as string[]);
      response.flushHeaders();
      return seq;
    },
    write(bytes, side, decision) {
      if (!open) return true;
      record({
        kind: 'bytes',
        exchange,
        side,
        body: toWire(bytes),
        ...(decision === undefined ? {} : { decision }),
      });
      return send(bytes);
    },
    writeSilently(bytes) {
      return open ? send(bytes) : true;
    },
    async end(how, side, by, decision) {
      if (!open) return 0;
      const { socket } = response;
      const of = decision === undefined ? {} : { decision };
      if (how === 'stall') return record({ kind: 'end', exchange, side, how, by, ...of });
      open = false;
      if (how === 'complete') {
        response.end();
        return record({ kind: 'end', exchange, side, how, by, ...of });
      }
      const wasFlushed = await flushed();
      const seq = record({ kind: 'end', exchange, side, how, by, flushed: wasFlushed, ...of });
      if (how === 'fin') sendFin(socket);
      else await sendReset(socket);
      return seq;
    },
    onceDrained(listener) {
      if (!open || !response.writableNeedDrain) listener();
      else {
        const done = (): void => {
          response.off('drain', done);
          response.off('close', done);
          listener();
        };
        response.on('drain', done);
        response.on('close', done);
      }
    },
    onAbort(listener) {
      aborts.push(listener);
    },
    onClose(listener) {
      response.on('close', listener);
    },
  };
}
