/**
 * The second seed document's method: "How does an instance detect silent SSE resumption divergence in MCP
 * HTTP-native streamable transport", 2026 November 13.
 *
 * The document reached us as an excerpt. The document's: the names of the error, the checkpoint and the two
 * functions; that the checkpoint holds the last *fully processed* event id and "a hash of the event payload
 * plus its ID", persisted across the disconnect; the decision procedure's first step (a non-2xx status or
 * another `Mcp-Session-Id`: session invalid) and second step (id beyond the successor: gap); that the server
 * offers a liveness signal; that a replay from zero which the client takes for new events does harm.
 *
 * Ours, where the excerpt breaks off: step three (an id at or below the last is a replay if the digest is the
 * same, else a divergence), step four (silence is met with one probe and a bounded wait), the epoch check before
 * any comparison of numbers (the first document's order), and opaque ids, of which only the digest is compared.
 */
import { type GuardClock, systemClock } from './clock.ts';
import type { Contract } from './contract.ts';
import { digestEvent } from './digest.ts';
import { judgeFirst } from './judge.ts';

/** An event as `text/event-stream` gives it; `id` is undefined where it carried none. */
export interface ReceivedEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The last fully processed event. Plain JSON: keep it wherever your own progress is kept. */
export interface StreamCheckpoint {
  readonly lastEventId: string;
  readonly digest: string;
}

/** Make one after an event was processed, not when it arrived. */
export function createCheckpoint(event: { readonly id: string; readonly data: string }): StreamCheckpoint {
  return { lastEventId: event.id, digest: digestEvent(event.id, event.data) };
}

export type DivergenceKind = 'session-invalid' | 'gap' | 'divergence' | 'other-epoch' | 'silence' | 'ended';

/** A resumed stream is not the stream that was interrupted. Initialise a new session; never go on with it. */
export class SSEStreamDivergenceError extends Error {
  override readonly name = 'SSEStreamDivergenceError';
  readonly kind: DivergenceKind;
  readonly checkpoint: StreamCheckpoint | undefined;

  constructor(kind: DivergenceKind, message: string, checkpoint?: StreamCheckpoint, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.checkpoint = checkpoint;
  }
}

/** What a reconnect brought. */
export interface Reconnection {
  /** HTTP status. */
  readonly status: number;
  /** `Mcp-Session-Id` of the response; null or undefined where it has none, which says nothing. */
  readonly sessionId?: string | null | undefined;
  /** The first event; undefined: none came within the bound that you set. */
  readonly first?: ReceivedEvent | undefined;
}

/** What the client knows of its side. */
export interface Expected {
  readonly contract: Contract;
  /** The session id that the client stored. */
  readonly sessionId?: string | undefined;
}

/** `replay`: drop this event, it was processed before. `silence`: probe, and wait a bounded time. */
export type Resumption = 'continue' | 'replay' | 'silence';

/**
 * The decision procedure on a reconnect, in its order: session, gap, replay or divergence, silence.
 * Throws an {@link SSEStreamDivergenceError} where the stream must not be resumed.
 */
export function validateResumption(
  checkpoint: StreamCheckpoint,
  reconnection: Reconnection,
  expected: Expected,
): Resumption {
  validateSession(checkpoint, reconnection, expected);
  const { first } = reconnection;
  if (first === undefined) return 'silence';
  return validateEvent(checkpoint, first, expected.contract);
}

function validateSession(
  checkpoint: StreamCheckpoint,
  { status, sessionId }: Reconnection,
  expected: Expected,
) {
  if (status < 200 || status > 299) {
    throw new SSEStreamDivergenceError(
      'session-invalid',
      `the reconnect was answered ${status}: the session is invalid, initialise a new one`,
      checkpoint,
    );
  }
  if (expected.sessionId !== undefined && sessionId != null && sessionId !== expected.sessionId) {
    throw new SSEStreamDivergenceError(
      'session-invalid',
      'the reconnect was answered with another Mcp-Session-Id: the session is invalid, initialise a new one',
      checkpoint,
    );
  }
}

function validateEvent(
  checkpoint: StreamCheckpoint,
  { id, data }: ReceivedEvent,
  contract: Contract,
): Resumption {
  if (id === undefined) return 'continue';
  const last = checkpoint.lastEventId;
  const judgement = judgeFirst(contract, last, id, (other) => other === last);
  if (judgement === 'go-on') return 'continue';
  if (judgement === 'replay') {
    if (digestEvent(id, data) === checkpoint.digest) return 'replay';
    throw new SSEStreamDivergenceError(
      'divergence',
      `event ${id} came again with other content: the stream is another incarnation's`,
      checkpoint,
    );
  }
  const { signature, message } = judgement;
  const kind = signature === 'regression' ? 'divergence' : signature;
  throw new SSEStreamDivergenceError(kind, message, checkpoint, judgement);
}

/** How to reach the server; all I/O of {@link resumeStream} is in here. */
export interface ResumableConnection {
  /** A GET with `Last-Event-ID`. */
  open(lastEventId: string): Promise<{
    readonly status: number;
    readonly sessionId?: string | null | undefined;
    readonly events: AsyncIterable<ReceivedEvent>;
  }>;
  /** The liveness signal, a `ping` for instance: whether the session still answers. */
  probe(): Promise<boolean>;
}

export interface ResumeOptions extends Expected {
  /** How long a resumed stream may stay silent, in ms (default 30000). The probe is sent after half of it. */
  readonly livenessMs?: number;
  readonly clock?: GuardClock;
}

/**
 * Resumes after a checkpoint and yields the events that follow it; replayed ones are dropped. Throws an
 * {@link SSEStreamDivergenceError} instead of yielding an event that does not follow. After the first event
 * that does, the stream is trusted. Returning early closes it.
 */
export async function* resumeStream(
  checkpoint: StreamCheckpoint,
  connection: ResumableConnection,
  options: ResumeOptions,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  const { livenessMs = 30_000, clock = systemClock } = options;
  const { status, sessionId, events } = await connection.open(checkpoint.lastEventId);
  validateSession(checkpoint, { status, sessionId }, options);
  const source = events[Symbol.asyncIterator]();
  let trusted = false;
  try {
    while (true) {
      const next = source.next();
      const item: IteratorResult<ReceivedEvent> = trusted
        ? await next
        : await withinBound(next, checkpoint, connection, livenessMs, clock);
      if (item.done === true) return;
      if (!trusted) {
        if (validateEvent(checkpoint, item.value, options.contract) === 'replay') continue;
        trusted = item.value.id !== undefined;
      }
      yield item.value;
    }
  } finally {
    // Not awaited: an iterator that waits for an event may not return before it comes.
    source.return?.().catch(() => {});
  }
}

/** Step four: silence for half the bound, a probe, and the other half. */
async function withinBound<T>(
  next: Promise<T>,
  checkpoint: StreamCheckpoint,
  connection: ResumableConnection,
  boundMs: number,
  clock: GuardClock,
): Promise<T> {
  const silence = (what: string) =>
    new SSEStreamDivergenceError('silence', `the resumed stream stayed silent: ${what}`, checkpoint);
  const first = await raced(next, boundMs / 2, clock);
  if (first !== undefined) return first.value;
  const alive = connection.probe().catch(() => false);
  const verdict = alive.then((ok) => {
    if (!ok) throw silence('the session does not answer a probe either');
    return next;
  });
  const second = await raced(Promise.race([next, verdict]), boundMs / 2, clock);
  if (second !== undefined) return second.value;
  throw silence(`no event within ${boundMs} ms, although the session answers`);
}

/** Undefined when the time is up first. */
async function raced<T>(
  work: Promise<T>,
  ms: number,
  clock: GuardClock,
): Promise<{ readonly value: T } | undefined> {
  let cancel = () => {};
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(ms, () => resolve(undefined));
  });
  try {
    return await Promise.race([work.then((value) => ({ value })), late]);
  } finally {
    cancel();
  }
}
