/**
 * The first seed document's method: "What structural signals indicate the SSE resumption cursor has silently
 * desynchronized from the MCP session's stream epoch", 2026 November 13.
 *
 * The document's: the error, the function, the order of its three checks and their messages. Ours: bigints,
 * because ids outgrow a double; the error's fields; and `validateResumedId`, which applies the document's
 * condition of validity before the function is called at all.
 */
import type { Contract } from './contract.ts';
import { compareIds, sequenceOf } from './event-id.ts';

/** The document's signatures: epoch identity, (a) the first id is lower or the same, (b) it jumps. */
export type Signature = 'other-epoch' | 'regression' | 'gap';

/** A resumed SSE cursor violates the session's epoch or monotonicity contract. Never resume after it. */
export class StreamEpochDesyncError extends Error {
  override readonly name = 'StreamEpochDesyncError';
  readonly signature: Signature;
  readonly lastSeenId: string;
  readonly firstReplayedId: string;

  constructor(signature: Signature, message: string, lastSeenId: string, firstReplayedId: string) {
    super(message);
    this.signature = signature;
    this.lastSeenId = lastSeenId;
    this.firstReplayedId = firstReplayedId;
  }
}

/**
 * For the first frame after a reconnect that presented `Last-Event-ID`: the same epoch, and the first
 * replayed id is the last seen one + 1. Throws a {@link StreamEpochDesyncError} otherwise: for the epoch
 * first, then for a regression (an equal id is one), then for a gap.
 *
 * Ids beyond 2^53 - 1 must be bigints; as numbers two neighbours would look alike (RangeError).
 */
export function validateResumedCursor(
  lastSeenId: number | bigint,
  firstReplayedId: number | bigint,
  sameEpoch: boolean,
): void {
  const last = exact('lastSeenId', lastSeenId);
  const first = exact('firstReplayedId', firstReplayedId);
  if (!sameEpoch) throw otherEpoch(String(last), String(first));
  if (first <= last) {
    throw new StreamEpochDesyncError(
      'regression',
      `cursor regression: last_seen=${last}, first_replayed=${first}; server buffer wrapped or counter restarted`,
      String(last),
      String(first),
    );
  }
  if (first !== last + 1n) {
    throw new StreamEpochDesyncError(
      'gap',
      `event gap across reconnect: expected ${last + 1n}, got ${first}; events ${last + 1n}..${first - 1n} lost`,
      String(last),
      String(first),
    );
  }
}

/**
 * The same for ids as they stand on the wire. Completed by us from the document's "Condition of Validity":
 * opaque ids are not compared, tagged ids are compared by tag first, and without a persisted cursor (`''`)
 * the server may begin anew. Under `monotonic:session` a gap is another stream's traffic.
 */
export function validateResumedId(contract: Contract, lastSeenId: string, firstReplayedId: string): void {
  if (lastSeenId === '') return;
  const step = compareIds(contract, lastSeenId, firstReplayedId);
  if (step === 'other-epoch') throw otherEpoch(lastSeenId, firstReplayedId);
  if (step === 'successor' || step === 'unknown') return;
  validateResumedCursor(sequenceOf(contract, lastSeenId)!, sequenceOf(contract, firstReplayedId)!, true);
}

function otherEpoch(last: string, first: string): StreamEpochDesyncError {
  return new StreamEpochDesyncError(
    'other-epoch',
    `resumed into a different stream epoch: last_seen=${last}, first_replayed=${first}; buffer was reset or session recycled`,
    last,
    first,
  );
}

function exact(what: string, id: number | bigint): bigint {
  if (typeof id === 'number' && !Number.isSafeInteger(id)) {
    throw new RangeError(`${what}: a bigint or an integer up to 2^53 - 1 was expected, found ${id}`);
  }
  return BigInt(id);
}
