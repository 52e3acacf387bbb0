/** Ends a session, or only a stream: every pending request that is affected is answered with an error at once. */
import { errorEvents } from './answers.ts';
import type { GuardContext } from './context.ts';
import { type AffectedRequest, asError, type Failure } from './failure.ts';
import { postHeaders } from './outgoing.ts';
import type { Session } from './session.ts';
import { type GuardedStream, stopTimers } from './stream.ts';

/** A desync: the session goes, where there is one to go. */
export function desync(
  context: GuardContext,
  session: Session,
  stream: GuardedStream,
  failure: Failure,
): void {
  // Clients without a session id cannot be told apart: only this stream is known to be wrong.
  if (session.id === undefined) failStream(context, session, stream, failure);
  else endSession(context, session, failure);
}

/** Fails everything that is pending in the session and refuses it from now on. `own` is told to the host only. */
export function endSession(
  context: GuardContext,
  session: Session,
  failure: Failure,
  own: readonly AffectedRequest[] = [],
): void {
  if (session.ended !== undefined) return;
  session.ended = failure;
  const streams = [...session.streams];
  const requests = [...own, ...streams.flatMap((stream) => [...stream.pending.values()])];
  // Clients take an answer from whatever stream brings it. One that waits between two legs has none of its own.
  const homeless = streams
    .filter(({ leg }) => leg === undefined)
    .flatMap((each) => [...each.pending.values()]);
  const carrier = streams.find(({ leg }) => leg !== undefined);
  for (const stream of streams) {
    const carried = stream === carrier ? homeless : [];
    const last = stream.leg === undefined ? [] : [...stream.pending.values(), ...carried];
    stopTimers(stream);
    stream.pending.clear();
    stream.failed = failure;
    stream.leg?.finish(last.length === 0 ? undefined : errorEvents(failure, last, true));
    stream.leg = undefined;
  }
  if (carrier === undefined && homeless.length > 0) {
    session.undelivered = errorEvents(failure, homeless, true);
  }
  for (const inFlight of session.inFlight) {
    requests.push(...inFlight.requests);
    inFlight.end();
  }
  report(context, session, failure, requests, true);
}

/** Fails the requests of one stream; its session lives. Returns those that no leg could carry the errors of. */
export function failStream(
  context: GuardContext,
  session: Session,
  stream: GuardedStream,
  failure: Failure,
): readonly AffectedRequest[] {
  const { leg } = stream;
  const requests = [...stream.pending.values()];
  stopTimers(stream);
  stream.pending.clear();
  stream.failed = failure;
  stream.leg = undefined;
  leg?.finish(requests.length === 0 ? undefined : errorEvents(failure, requests, false));
  cancel(context, session, requests, failure, stream.headers);
  report(context, session, failure, requests, false);
  return leg === undefined ? requests : [];
}

/**
 * Tells the server that nobody waits any more: a broken stream alone must not be read as that (2025-11-25,
 * basic/transports, Sending Messages). `like` are the headers of a request of the same client.
 */
export function cancel(
  { fetch }: GuardContext,
  session: Session,
  requests: readonly AffectedRequest[],
  { cause }: Failure,
  like: Headers,
): void {
  if (session.id === undefined) return;
  for (const { id, method } of requests) {
    // `initialize` must not be cancelled (basic/utilities/cancellation).
    if (method === 'initialize') continue;
    const params = { requestId: id, reason: `mcp-chaos/guard: ${cause}` };
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    fetch(session.url, { method: 'POST', headers: postHeaders(like), body })
      .then((response) => response.body?.cancel())
      .catch(() => {});
  }
}

export function report(
  { onDesync }: GuardContext,
  session: Session,
  failure: Failure,
  requests: readonly AffectedRequest[],
  sessionEnded: boolean,
): void {
  const { cause, message, lastSeenId, firstReplayedId, checkpoint } = failure;
  // Later than the errors, and what the host throws is thrown at the host.
  queueMicrotask(() =>
    onDesync({
      cause,
      message,
      error: asError(failure),
      url: session.url,
      sessionId: session.id,
      sessionEnded,
      lastSeenId,
      firstReplayedId,
      checkpoint,
      requests,
    }),
  );
}
