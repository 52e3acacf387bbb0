/** What the parts of one guard share, and what it tells the host. */
import type { GuardClock } from './clock.ts';
import type { Contract } from './contract.ts';
import type { AffectedRequest, DesyncCause } from './failure.ts';
import type { FetchLike } from './outgoing.ts';
import type { StreamEpochDesyncError } from './resumed-cursor.ts';
import type { SSEStreamDivergenceError, StreamCheckpoint } from './resumption.ts';
import type { Sessions } from './session.ts';

/** Everything that a host needs to initialise again and to go on from its own checkpoint. */
export interface Desync {
  readonly cause: DesyncCause;
  readonly message: string;
  /** The same as one of the seeds' exceptions. */
  readonly error: StreamEpochDesyncError | SSEStreamDivergenceError;
  /** The MCP endpoint. */
  readonly url: string;
  readonly sessionId: string | undefined;
  /** True: the guard refuses this session from now on; initialise a new one. False: only the requests failed. */
  readonly sessionEnded: boolean;
  /** The cursor that was presented; `''` = none. */
  readonly lastSeenId: string;
  readonly firstReplayedId: string | undefined;
  /** The last event that passed on this stream. It is no license to resume. */
  readonly checkpoint: StreamCheckpoint | undefined;
  /**
   * The requests that were just failed, as they were sent. Whether one of them ran is unknown: issue again
   * only what may run twice.
   */
  readonly requests: readonly AffectedRequest[];
}

export interface GuardContext {
  readonly fetch: FetchLike;
  readonly contract: Contract;
  readonly livenessMs: number;
  readonly resumeMs: number;
  readonly stallMs: number;
  readonly onDesync: (desync: Desync) => void;
  readonly clock: GuardClock;
  readonly sessions: Sessions;
}
