/**
 * One request to upstream, heads raw in both directions.
 *
 * No connection is shared between requests: a kept-alive upstream connection that closes just as a
 * request goes out would look to the client like a fault that nobody injected.
 */
import http from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { endToEnd, headerOf, pairs, type RawHeaders } from './headers.ts';

export interface UpstreamAddress {
  /** Logical name in sites, journal and report; never the port. */
  readonly name: string;
  readonly url: URL;
  /** Present where clients address the server by itself, and not through our address. */
  readonly byClient?: {
    /** The client checks certificates. */
    readonly verified: boolean;
  };
  /** Where the run started it and may end it. */
  readonly process?: UpstreamProcess;
}

export interface UpstreamProcess {
  /** Requests wait for this before they connect; settled while there is nothing to wait for. */
  readonly ready: Promise<void>;
  /**
   * Ends the process, after `downMs` starts a new one. Resolves when the old one is gone; one restart at
   * a time, in the order in which they were asked for.
   */
  restart(signal: 'SIGTERM' | 'SIGKILL', downMs: number): Promise<void>;
}

export interface UpstreamRequest {
  readonly verb: string;
  readonly path: string;
  /** End-to-end headers as upstream is to see them; without a Host, upstream's own. */
  readonly headers: RawHeaders;
  /** Absent = the caller pipes the body into the returned request. */
  readonly body?: Uint8Array;
}

/** Opens the request; the caller listens for `response` and `error`, and ends it where `body` is absent. */
export function openUpstream(to: UpstreamAddress, request: UpstreamRequest): http.ClientRequest {
  const secure = to.url.protocol === 'https:';
  const host = headerOf(request.headers, 'host') ?? to.url.host;
  const headers = ['Host', host, ...endToEnd(request.headers, ['host'])];
  const framed = [...pairs(headers)].some(([name]) => name.toLowerCase() === 'content-length');
  // What the client asked of its connection; a server may look. Ours ends after one answer all the same.
  const last = /\bclose\b/i.test(headerOf(request.headers, 'connection') ?? '');
  headers.push('Connection', last ? 'close' : 'keep-alive');
  if (request.body !== undefined && !framed && request.body.byteLength > 0) {
    headers.push('Content-Length', String(request.body.byteLength));
  }
  const hostname = to.url.hostname.replace(/^\[|\]$/g, '');
  const port = to.url.port === '' ? (secure ? 443 : 80) : Number(to.url.port);
  const opened = (secure ? https : http).request({
    host: hostname,
    port,
    method: request.verb,
    path: request.path,
    headers,
    agent: to.process === undefined ? false : agentOf(to.process, hostname, port),
    ...(to.byClient?.verified === false ? { rejectUnauthorized: false } : {}),
  });
  if (request.body !== undefined) opened.end(request.body);
  return opened;
}

/** For one request, as with `agent: false`; a restart that is under way holds its connection back. */
function agentOf({ ready }: UpstreamProcess, host: string, port: number): http.Agent {
  const agent = new http.Agent();
  agent.createConnection = (_options, made) => {
    void ready.then(() => made?.(null, connect({ host, port })));
    return undefined;
  };
  return agent;
}

/** A small exchange of our own with upstream (session restart), whole bodies, bounded in time and size. */
export async function askUpstream(
  to: UpstreamAddress,
  request: UpstreamRequest & { readonly body: Uint8Array },
  limits: { readonly timeoutMs: number; readonly maxBytes: number },
): Promise<{ readonly status: number; readonly headers: RawHeaders; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const opened = openUpstream(to, request);
    const timer = setTimeout(
      () => fail(new Error(`no answer within ${limits.timeoutMs} ms`)),
      limits.timeoutMs,
    );
    function fail(error: Error): void {
      clearTimeout(timer);
      opened.destroy();
      reject(error);
    }
    opened.on('error', fail);
    opened.on('response', (response) => {
      const pieces: Buffer[] = [];
      let size = 0;
      const done = (): void => {
        clearTimeout(timer);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders,
          body: Buffer.concat(pieces).toString('utf8'),
        });
        opened.destroy();
      };
      response.on('data', (piece: Buffer) => {
        pieces.push(piece);
        size += piece.byteLength;
        if (size > limits.maxBytes) fail(new Error(`the answer is larger than ${limits.maxBytes} bytes`));
        else if (endsWithAnswer(pieces)) done();
      });
      response.on('end', done);
      response.on('error', fail);
    });
  });
}

/** An SSE answer to `initialize` may stay open; one complete event with a response is enough. */
function endsWithAnswer(pieces: readonly Buffer[]): boolean {
  const text = Buffer.concat(pieces).toString('utf8');
  return /"(result|error)"\s*:/.test(text) && /(\r\n|\n|\r)(\r\n|\n|\r)$/.test(text);
}
