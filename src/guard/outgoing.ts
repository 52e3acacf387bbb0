/** What the client is about to send, as far as the guard has to understand it. */
import type { RequestId } from './answer-reader.ts';
import type { AffectedRequest } from './failure.ts';

/** The shape of `fetch` that MCP clients take as an option; the platform's own fits. */
export type FetchLike = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Outgoing {
  readonly verb: 'POST' | 'GET' | 'DELETE';
  readonly url: string;
  readonly origin: string;
  readonly headers: Headers;
  readonly sessionId: string | undefined;
  /** `Last-Event-ID`; `''` where the client sends none. */
  readonly cursor: string;
  /** Requests in a POST, in order. */
  readonly requests: readonly AffectedRequest[];
  readonly initialises: boolean;
  /** Requests that a `notifications/cancelled` in it gives up. */
  readonly cancels: readonly RequestId[];
  readonly signal: AbortSignal | undefined;
}

/** `body` is what {@link readBody} gave. Undefined: not MCP (a login page, a token endpoint), to be passed on. */
export function readOutgoing(
  input: string | URL | Request,
  init: RequestInit | undefined,
  body: string,
): Outgoing | undefined {
  const request = asRequest(input);
  const verb = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  if (verb !== 'POST' && verb !== 'GET' && verb !== 'DELETE') return undefined;
  const headers = new Headers(init?.headers ?? request?.headers);
  const url = request?.url ?? String(input);
  const sessionId = headers.get('mcp-session-id') ?? undefined;
  const cursor = headers.get('last-event-id') ?? '';
  const signal = init?.signal ?? request?.signal ?? undefined;
  const base = { verb, url, origin: originOf(url), headers, sessionId, cursor, signal } as const;
  if (verb === 'GET') {
    const stream = headers.get('accept')?.includes('text/event-stream') === true;
    return stream ? { ...base, requests: [], initialises: false, cancels: [] } : undefined;
  }
  if (verb === 'DELETE') {
    return sessionId === undefined ? undefined : { ...base, requests: [], initialises: false, cancels: [] };
  }
  const messages = readMessages(body);
  if (messages.length === 0) return undefined;
  return {
    ...base,
    requests: messages.flatMap(requestIn),
    initialises: messages.some(({ method }) => method === 'initialize'),
    cancels: messages.flatMap(cancelledBy),
  };
}

function originOf(url: string): string {
  try {
    return new URL(url).origin;
  } catch {
    // Relative, in a browser: one origin for all of them.
    return '';
  }
}

/** The body, or a promise where only a clone of a `Request` can be asked: requests must not overtake each other. */
export function readBody(
  input: string | URL | Request,
  init: RequestInit | undefined,
): string | Promise<string> {
  const body = init?.body;
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new TextDecoder().decode(body);
  const request = asRequest(input);
  // Anything else is a stream or a form, which no MCP client sends and which can be read but once.
  if (body != null || request === undefined) return '';
  return request.headers.get('content-type')?.includes('json') === true ? request.clone().text() : '';
}

function asRequest(input: string | URL | Request): Request | undefined {
  return typeof input === 'object' && 'method' in input ? input : undefined;
}

/** For a message of our own in the session of another request: its id, its login, its revision. */
export function postHeaders(like: Headers): Headers {
  const headers = new Headers(like);
  headers.delete('last-event-id');
  headers.set('accept', 'application/json, text/event-stream');
  headers.set('content-type', 'application/json');
  return headers;
}

type Message = Readonly<Record<string, unknown>>;

function readMessages(body: string): readonly Message[] {
  if (!body.includes('"jsonrpc"')) return [];
  try {
    const value: unknown = JSON.parse(body);
    return (Array.isArray(value) ? value : [value]).filter(
      (one): one is Message => typeof one === 'object' && one !== null && 'jsonrpc' in one,
    );
  } catch {
    return [];
  }
}

/** The requests that wait for an answer. 2026-07-28's listen stream is one that may end without, and be asked for again. */
function requestIn({ id, method, params }: Message): readonly AffectedRequest[] {
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (!hasId || typeof method !== 'string' || method === 'subscriptions/listen') return [];
  return [{ id, method, params }];
}

function cancelledBy({ method, params }: Message): readonly RequestId[] {
  if (method !== 'notifications/cancelled' || typeof params !== 'object' || params === null) return [];
  const id = 'requestId' in params ? params.requestId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? [id] : [];
}
