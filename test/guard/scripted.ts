/**
 * A server and a clock made of nothing but promises, so that every order of events can be written down.
 */

import { createParser } from 'eventsource-parser';
import type { FetchLike, GuardClock } from '../../src/guard/index.ts';

export const url = 'https://server.test/mcp';

/** A request that the guard let through. */
export interface Seen {
  readonly verb: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A response body under control of the test. */
export interface Scripted {
  readonly response: Response;
  send(...frames: string[]): void;
  bytes(bytes: Uint8Array): void;
  end(): void;
  reset(): void;
  /** The guard let go of it. */
  readonly cancelled: boolean;
}

export function sse(init: { readonly session?: string; readonly status?: number } = {}): Scripted {
  let out!: ReadableStreamDefaultController<Uint8Array>;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      out = controller;
    },
    cancel() {
      cancelled = true;
    },
  });
  const headers = new Headers({ 'content-type': 'text/event-stream' });
  if (init.session !== undefined) headers.set('mcp-session-id', init.session);
  const encoder = new TextEncoder();
  return {
    response: new Response(body, { status: init.status ?? 200, headers }),
    send: (...frames) => {
      for (const frame of frames) out.enqueue(encoder.encode(frame));
    },
    bytes: (bytes) => out.enqueue(bytes),
    end: () => out.close(),
    reset: () => out.error(new TypeError('terminated')),
    get cancelled() {
      return cancelled;
    },
  };
}

export function plain(
  status: number,
  headers: Record<string, string> = {},
  body: string | null = null,
): Response {
  return new Response(body, { status, headers });
}

export type Answer = Response | Scripted | Promise<Response | Scripted>;

/** Answers each request in turn with what the script says next; an Error is a connection that fails. */
export function serve(...script: (Answer | Error | ((seen: Seen) => Answer))[]) {
  const seen: Seen[] = [];
  const cancelled: (string | number)[] = [];
  const fetch: FetchLike = async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const one: Seen = {
      verb: init?.method ?? request?.method ?? 'GET',
      url: request?.url ?? String(input),
      headers: new Headers(init?.headers ?? request?.headers),
      body: typeof init?.body === 'string' ? init.body : '',
    };
    if (one.body.includes('"reason":"mcp-chaos/guard: ')) {
      cancelled.push(JSON.parse(one.body).params.requestId);
      return plain(202);
    }
    seen.push(one);
    const next = script.shift();
    if (next === undefined) throw new Error(`the script has no answer to ${one.verb} ${one.body}`);
    if (next instanceof Error) throw next;
    const answer = await (typeof next === 'function' ? next(one) : next);
    return 'response' in answer ? answer.response : answer;
  };
  return {
    fetch,
    seen,
    /** Requests that the guard itself cancelled. */
    cancelled,
    /** Appends to the script. */
    add: (...more: typeof script) => void script.push(...more),
  };
}

export interface FakeClock extends GuardClock {
  /** Lets time pass and everything that follows from it happen. */
  pass(ms: number): Promise<void>;
  /** Waits that are still open. */
  readonly waiting: number;
}

export function fakeClock(): FakeClock {
  let now = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after(delayMs, run) {
      const timer = { at: now + delayMs, run };
      // The guard's turn of the loop before an error is no time at all.
      if (delayMs === 0) setImmediate(run);
      else timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        await settle();
        const due = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers = timers.filter((other) => other !== due);
        now = due.at;
        due.run();
      }
      now = until;
      await settle();
    },
    get waiting() {
      return timers.length;
    },
  };
}

/** Lets every promise that can settle do so. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 3; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function callTool(
  id: number | string,
  session: string | undefined = 's1',
  name = 'count',
): RequestInit {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { n: 3 } } }),
  };
}

export function listen(
  cursor?: string,
  session: string | undefined = 's1',
  signal?: AbortSignal,
): RequestInit {
  return {
    method: 'GET',
    headers: {
      accept: 'text/event-stream',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
      ...(cursor === undefined ? {} : { 'last-event-id': cursor }),
    },
    ...(signal === undefined ? {} : { signal }),
  };
}

export function part(id: string | number | undefined, text: string): string {
  const message = {
    method: 'notifications/progress',
    params: { progressToken: 1, message: text },
    jsonrpc: '2.0',
  };
  return frame(id, message);
}

export function answer(id: string | number | undefined, request: number | string, text = 'done'): string {
  return frame(id, { result: { content: [{ type: 'text', text }] }, jsonrpc: '2.0', id: request });
}

export function frame(id: string | number | undefined, message: object): string {
  return `event: message\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

/** Reads a body as a client does, and parses it with another parser than the guard's. */
export interface Reading {
  readonly ids: string[];
  readonly messages: Message[];
  readonly raw: () => string;
  /** `complete`, or the error's name. */
  ended: string | undefined;
}

export interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: Record<string, unknown>;
  };
}

export function read(response: Response): Reading {
  let raw = '';
  const reading: Reading = { ids: [], messages: [], raw: () => raw, ended: undefined };
  const parser = createParser({
    onEvent(event) {
      if (event.id !== undefined) reading.ids.push(event.id);
      if (event.event !== undefined && event.event !== 'message') return;
      if (event.data !== '') reading.messages.push(JSON.parse(event.data));
    },
  });
  const decoder = new TextDecoder();
  void (async () => {
    const reader = response.body!.getReader();
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const text = decoder.decode(value, { stream: true });
        raw += text;
        parser.feed(text);
      }
      reading.ended = 'complete';
    } catch (error) {
      reading.ended = (error as Error).name;
    }
  })();
  return reading;
}
