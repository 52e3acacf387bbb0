/** The responses that the guard gives in a server's place. */
import { type AffectedRequest, errorMessage, type Failure } from './failure.ts';

/**
 * Ids of events that the guard invents begin with this. SDK 1.x goes on to resume a stream that ended with an
 * error response; by its cursor such a resume is known and ends here, not at a server that never sent the id.
 */
export const guardIdPrefix = 'mcp-chaos-guard:';

let invented = 0;

/** SSE events that fail the requests; the last ones of a stream. */
export function errorEvents(
  failure: Failure,
  requests: readonly AffectedRequest[],
  sessionEnded: boolean,
): Uint8Array {
  const events = requests.map((request) => {
    invented += 1;
    const data = JSON.stringify(errorMessage(failure, request, sessionEnded));
    return `event: message\nid: ${guardIdPrefix}${invented}\ndata: ${data}\n\n`;
  });
  return new TextEncoder().encode(events.join(''));
}

/** The same for a stream that goes on: without ids, so that its cursor stays the server's. */
export function passingErrorEvents(failure: Failure, requests: readonly AffectedRequest[]): Uint8Array {
  const events = requests.map(
    (request) => `event: message\ndata: ${JSON.stringify(errorMessage(failure, request, false))}\n\n`,
  );
  return new TextEncoder().encode(events.join(''));
}

export function streamResponse(events: Uint8Array): Response {
  return new Response(events, { status: 200, headers: { 'content-type': 'text/event-stream' } });
}

export function errorsResponse(
  failure: Failure,
  requests: readonly AffectedRequest[],
  sessionEnded: boolean,
): Response {
  const errors = requests.map((request) => errorMessage(failure, request, sessionEnded));
  return Response.json(errors.length === 1 ? errors[0] : errors);
}

/**
 * For traffic on a session that is over. 404 is the specification's own word for that (2025-11-25,
 * basic/transports, Session Management): a client that obeys it initialises anew.
 */
export function refusal(failure: Failure, requests: readonly AffectedRequest[]): Response {
  const said = `refused by mcp-chaos/guard: this session ended (${failure.cause}: ${failure.message}); initialise a new one`;
  const [first] = requests;
  const { error } = errorMessage(failure, first ?? { id: 0, method: '', params: undefined }, true) as {
    error: { code: number; data: object };
  };
  const data = first === undefined ? { ...error.data, request: null } : error.data;
  const body = { jsonrpc: '2.0', id: first?.id ?? null, error: { ...error, message: said, data } };
  return Response.json(body, { status: 404, statusText: 'Session Ended' });
}

/** For a resume that has nothing to resume: the clients read 405 as "no stream here" and leave it. */
export function nothingToResume(): Response {
  return new Response('mcp-chaos/guard: this stream is over, its requests were answered with an error\n', {
    status: 405,
    headers: { allow: 'POST, DELETE', 'content-type': 'text/plain' },
  });
}

/** The same response with another body; `url` is not settable and some clients read it. */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers, url } = response;
  const copy = new Response(body, { status, statusText, headers });
  Object.defineProperty(copy, 'url', { value: url });
  return copy;
}
