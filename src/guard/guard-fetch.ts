/**
 * The guard: a `fetch` that watches the streams of MCP sessions pass and ends what must not be gone on with.
 *
 * It decides nothing about the work: which request may be issued again is the host's to say. It only sees to it
 * that the host is told, and told at once.
 */
import {
  errorEvents,
  errorsResponse,
  guardIdPrefix,
  nothingToResume,
  refusal,
  streamResponse,
  withBody,
} from './answers.ts';
import { type GuardClock, systemClock } from './clock.ts';
import type { Desync, GuardContext } from './context.ts';
import { type Contract, readContract } from './contract.ts';
import { cancel, endSession, failStream, report } from './failing.ts';
import type { Failure } from './failure.ts';
import { openLeg } from './leg.ts';
import { type FetchLike, type Outgoing, readBody, readOutgoing } from './outgoing.ts';
import { brokenSession, isForNow, isStream } from './response-kind.ts';
import { type Call, send } from './sending.ts';
import { addStream, createSessions, type Session, sameId, streamToResume } from './session.ts';
import { checkpointOf, createStream, cursorOf, type GuardedStream, stopTimers } from './stream.ts';
import { awaitServer, awaitSpeech } from './waiting.ts';
import { watchLeg } from './watch.ts';

export interface GuardOptions {
  /** What the server promises about event ids (default `opaque`: nothing, so no numbers are compared). */
  readonly contract?: Contract;
  /** Called after the affected requests were answered with errors. */
  readonly onDesync?: (desync: Desync) => void;
  /**
   * How long a resumed stream that a request waits on may bring no event, in ms (default 30000). After half of
   * it the session is pinged. Choose it longer than your slowest tool is silent, and shorter than your request
   * timeout; `Infinity` = silence is never judged.
   */
  readonly livenessMs?: number;
  /** How long a client may stay away from a broken stream, in ms beyond `retry` (default 30000). */
  readonly resumeMs?: number;
  /**
   * How long an open stream that a request waits on, and that can be resumed, may bring no byte before the
   * guard ends it and so makes the client resume it, in ms (default `Infinity`: for ever). It finds connections
   * that died without a word. Choose it as you choose `livenessMs`.
   */
  readonly stallMs?: number;
  /** For tests. */
  readonly clock?: GuardClock;
}

/** Wraps a `fetch`; give the result to your MCP client. One guard may serve any number of clients and servers. */
export function guardFetch(fetch: FetchLike, options: GuardOptions = {}): FetchLike {
  const context: GuardContext = {
    fetch,
    contract: readContract(options.contract ?? 'opaque'),
    livenessMs: options.livenessMs ?? 30_000,
    resumeMs: options.resumeMs ?? 30_000,
    stallMs: options.stallMs ?? Number.POSITIVE_INFINITY,
    onDesync: options.onDesync ?? (() => {}),
    clock: options.clock ?? systemClock,
    sessions: createSessions(),
  };
  return async (input, init) => {
    const body = readBody(input, init);
    const out = readOutgoing(input, init, typeof body === 'string' ? body : await body);
    if (out === undefined) return fetch(input, init);
    if (out.verb === 'DELETE') return end(context, out, input, init);
    if (out.verb === 'GET') return resume(context, out, input, init);
    return post(context, out, input, init);
  };
}

/** DELETE: the host ends a session, also one that the guard refuses otherwise. */
async function end(context: GuardContext, out: Outgoing, ...call: Call): Promise<Response> {
  const response = await context.fetch(...call);
  if (response.ok || response.status === 404) {
    const session = context.sessions.of(out.origin, out.sessionId, out.url);
    for (const stream of session.streams) stopTimers(stream);
    context.sessions.close(out.origin, out.sessionId);
  }
  return response;
}

async function post(context: GuardContext, out: Outgoing, ...call: Call): Promise<Response> {
  const { sessions } = context;
  const { origin, requests, url } = out;
  let session = sessions.of(origin, out.sessionId, url);
  if (session.ended !== undefined) {
    if (!out.initialises) return refusal(session.ended, requests);
    // 2025-11-25, basic/transports, Session Management: the new one is asked for without the old one's id.
    out.headers.delete('mcp-session-id');
    call = withHeaders(call, out.headers);
    session = sessions.of(origin, undefined, url);
  }
  for (const id of out.cancels) forget(session, id);

  const response = await send(context, session, out, call);
  if (response === undefined) return errorsResponse(session.ended!, requests, true);
  if (out.initialises) {
    if (!response.ok) return response;
    session = sessions.open(origin, response.headers.get('mcp-session-id') ?? undefined, url);
  } else {
    const broken = brokenSession(session, response, '');
    if (broken !== undefined) {
      endSession(context, session, broken, requests);
      // The client knows what a 404 means for this one request.
      if (broken.cause === 'session-lost') return response;
      return discard(response, errorsResponse(broken, requests, true));
    }
  }
  if (!response.ok || requests.length === 0) return response;
  if (response.status === 202 || response.status === 204) {
    const failure: Failure = {
      cause: 'no-answer',
      message: `the server answered ${response.status} to a request, which brings no answer`,
      lastSeenId: '',
    };
    cancel(context, session, requests, failure, out.headers);
    report(context, session, failure, requests, false);
    return discard(response, errorsResponse(failure, requests, false));
  }
  if (!isStream(response)) return response;
  const stream = addStream(session, createStream('POST', requests));
  return follow(context, session, stream, '', out, response);
}

/** A GET: the stand-alone stream, or the continuation of any stream. */
async function resume(context: GuardContext, out: Outgoing, ...call: Call): Promise<Response> {
  if (out.cursor.startsWith(guardIdPrefix)) return nothingToResume();
  const session = context.sessions.of(out.origin, out.sessionId, out.url);
  if (session.ended !== undefined) return sessionOver(session, session.ended);
  const stream = streamToResume(session, out.cursor);
  if (stream.undelivered !== undefined) {
    const events = stream.undelivered;
    stream.undelivered = undefined;
    return streamResponse(events);
  }
  if (stream.failed !== undefined) return nothingToResume();
  const cursor = cursorOf(stream);
  if (!sameId(out.cursor, cursor)) {
    if (cursor === '') out.headers.delete('last-event-id');
    else out.headers.set('last-event-id', asHeader(cursor));
    call = withHeaders(call, out.headers);
  }
  stream.asked = true;
  let followed = false;
  try {
    const response = await send(context, session, out, call, stream);
    if (response === undefined) return sessionOver(session, session.ended!);
    followed = response.ok && isStream(response);
    return answerResume(context, session, stream, cursor, out, response);
  } finally {
    stream.asked = false;
    // A stand-alone stream that never began is nobody's to come back for.
    if (!followed && cursor === '' && stream.pending.size === 0) session.streams.delete(stream);
  }
}

function answerResume(
  context: GuardContext,
  session: Session,
  stream: GuardedStream,
  cursor: string,
  out: Outgoing,
  response: Response,
): Response {
  const broken = brokenSession(session, response, cursor);
  if (broken !== undefined) {
    endSession(context, session, { ...broken, checkpoint: checkpointOf(stream) });
    if (broken.cause === 'session-lost' && session.undelivered === undefined) return response;
    return discard(response, sessionOver(session, broken));
  }
  if (response.ok && isStream(response)) {
    if (stream.pending.size > 0 && cursor !== '') awaitServer(context, session, stream, out.headers);
    return follow(context, session, stream, cursor, out, response);
  }
  if (stream.pending.size === 0 || isForNow(response.status)) return response;
  const failure: Failure = {
    cause: 'resume-refused',
    message: `the server answered ${response.status} to the resume`,
    lastSeenId: cursor,
    checkpoint: checkpointOf(stream),
  };
  const requests = failStream(context, session, stream, failure);
  return discard(response, streamResponse(errorEvents(failure, requests, false)));
}

/** Puts the response's body under watch. */
function follow(
  context: GuardContext,
  session: Session,
  stream: GuardedStream,
  presented: string,
  out: Outgoing,
  response: Response,
): Response {
  // The client has a newer connection; whatever it still reads from the older one is the same stream.
  stream.leg?.finish(undefined);
  stream.stopWaiting();
  stream.headers = out.headers;
  stream.signal = out.signal;
  stream.letGo = false;
  stream.halfId = undefined;
  stream.legHadId = false;
  const watch = watchLeg(context, session, stream, presented);
  if (response.body === null) {
    const last = watch.ended(undefined);
    return last === undefined ? response : streamResponse(last);
  }
  stream.leg = openLeg(response.body, watch, context.clock);
  if (stream.pending.size > 0) awaitSpeech(context, session, stream);
  return withBody(response, stream.leg.body);
}

function sessionOver(session: Session, failure: Failure): Response {
  const { undelivered } = session;
  session.undelivered = undefined;
  return undelivered === undefined ? refusal(failure, []) : streamResponse(undelivered);
}

/** The client gave the request up itself. */
function forget(session: Session, id: string | number): void {
  for (const stream of session.streams) {
    if (stream.pending.delete(id) && stream.pending.size === 0) stopTimers(stream);
  }
}

function discard(response: Response, instead: Response): Response {
  response.body?.cancel().catch(() => {});
  return instead;
}

/** `Last-Event-ID` is UTF-8 (WHATWG HTML 9.2.3), which `Headers` takes byte by byte. */
function asHeader(id: string): string {
  return String.fromCharCode(...new TextEncoder().encode(id));
}

function withHeaders([input, init]: Call, headers: Headers): Call {
  return [input, { ...init, headers }];
}
