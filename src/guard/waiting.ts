/** The waits of a stream: for the client to come back, for the server to go on, and for an open stream to speak. */
import { errorEvents, passingErrorEvents } from './answers.ts';
import type { GuardContext } from './context.ts';
import { desync, endSession, failStream } from './failing.ts';
import type { Failure } from './failure.ts';
import { probeSession } from './probe.ts';
import type { Session } from './session.ts';
import { checkpointOf, cursorOf, type GuardedStream } from './stream.ts';

/** The stream broke while a request waits on it: `retry` and `resumeMs` from now somebody has to be back. */
export function awaitClient(context: GuardContext, session: Session, stream: GuardedStream): void {
  const boundMs = stream.retryMs + context.resumeMs;
  stream.stopWaiting();
  stream.stopWaiting = context.clock.after(
    boundMs,
    () => {
      if (isNobodysConcern(session, stream)) return;
      const failure: Failure = {
        cause: 'never-resumed',
        message: `the stream broke and was not resumed within ${boundMs} ms`,
        lastSeenId: cursorOf(stream),
        checkpoint: checkpointOf(stream),
      };
      const requests = failStream(context, session, stream, failure);
      // Nobody reads this stream any more; any other of the session's can carry the errors.
      const carrier =
        session.id === undefined ? undefined : [...session.streams].find(({ leg }) => leg !== undefined);
      if (carrier === undefined) stream.undelivered = errorEvents(failure, requests, false);
      else carrier.leg?.inject(passingErrorEvents(failure, requests));
    },
    true,
  );
}

/**
 * The stream was resumed while a request waits on it: half of `livenessMs` for an event, then a ping, then the
 * other half. The wait goes on over legs that bring nothing.
 */
export function awaitServer(
  context: GuardContext,
  session: Session,
  stream: GuardedStream,
  like: Headers,
): void {
  const { clock, fetch, livenessMs } = context;
  if (livenessMs === Number.POSITIVE_INFINITY || stream.stopListening !== undefined) return;
  const pinging = new AbortController();
  let heard = 'no ping was possible without a session id';
  const silence = (): void => {
    if (isNobodysConcern(session, stream)) return;
    desync(context, session, stream, {
      cause: 'silence',
      message: `no event within ${livenessMs} ms of the resume; ${heard}`,
      lastSeenId: cursorOf(stream),
      checkpoint: checkpointOf(stream),
    });
  };
  const ping = async (): Promise<void> => {
    heard = 'a ping was not answered';
    const liveness = await probeSession(fetch, session.url, like, pinging.signal);
    if (liveness === 'alive') heard = 'the session answers a ping';
    if (liveness !== 'refused' || pinging.signal.aborted || isNobodysConcern(session, stream)) return;
    endSession(context, session, {
      cause: 'session-lost',
      message: 'no event after the resume, and the server does not know the session of the ping',
      lastSeenId: cursorOf(stream),
      checkpoint: checkpointOf(stream),
    });
  };
  let cancel = clock.after(
    livenessMs / 2,
    () => {
      cancel = clock.after(livenessMs / 2, silence, true);
      if (session.id !== undefined && !isNobodysConcern(session, stream)) void ping();
    },
    true,
  );
  stream.stopListening = () => {
    cancel();
    pinging.abort();
  };
}

/**
 * An open stream that a request waits on says nothing at all, not even a comment: perhaps its connection is
 * dead and nobody has said so. It is ended, so that the client resumes it; what can be wrong then is judged
 * there. Without an id there is nothing to resume with, and the silence is left to the request's own timeout.
 */
export function awaitSpeech(context: GuardContext, session: Session, stream: GuardedStream): void {
  const { clock, stallMs } = context;
  if (stallMs === Number.POSITIVE_INFINITY) return;
  const { leg } = stream;
  stream.heardAt = clock.now();
  const check = (): void => {
    if (stream.leg !== leg || isNobodysConcern(session, stream)) return;
    const leftMs = stream.heardAt + stallMs - clock.now();
    if (leftMs <= 0 && cursorOf(stream) !== '') leg?.interrupt();
    else stream.stopStallWatch = clock.after(leftMs > 0 ? leftMs : stallMs, check, true);
  };
  stream.stopStallWatch();
  stream.stopStallWatch = clock.after(stallMs, check, true);
}

/** Answered in the meantime, or given up by the client. */
function isNobodysConcern(session: Session, stream: GuardedStream): boolean {
  return (
    stream.pending.size === 0 ||
    stream.letGo ||
    stream.signal?.aborted === true ||
    session.ended !== undefined
  );
}
