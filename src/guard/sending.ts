/** A request on its way: no earlier than `retry` allows, and answered at once where its session ends meanwhile. */
import type { GuardClock } from './clock.ts';
import type { GuardContext } from './context.ts';
import type { FetchLike, Outgoing } from './outgoing.ts';
import type { InFlight, Session } from './session.ts';
import type { GuardedStream } from './stream.ts';

export type Call = Parameters<FetchLike>;

/** Undefined: the session ended before the response came. */
export async function send(
  { clock, fetch }: GuardContext,
  session: Session,
  out: Outgoing,
  call: Call,
  stream?: GuardedStream,
): Promise<Response | undefined> {
  let end!: () => void;
  const ended = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
  });
  const inFlight: InFlight = { requests: out.requests, end };
  session.inFlight.add(inFlight);
  try {
    const waitMs = stream === undefined ? 0 : stream.endedAt + stream.retryMs - clock.now();
    if (waitMs > 0) {
      await Promise.race([elapsed(clock, waitMs, out.signal), ended]);
      if (session.ended !== undefined) return undefined;
    }
    const sent = fetch(...call);
    const response = await Promise.race([sent, ended]);
    if (response === undefined) sent.then(({ body }) => body?.cancel()).catch(() => {});
    return response;
  } finally {
    session.inFlight.delete(inFlight);
  }
}

/** 2025-11-25, basic/transports, Listening for Messages: the client MUST respect `retry`. */
async function elapsed(clock: GuardClock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let abort = (): void => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const cancel = clock.after(ms, resolve);
      abort = () => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort);
    });
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}
