/**
 * Why requests are failed, in the words that the application gets to read.
 */
import type { RequestId } from './answer-reader.ts';
import type { StreamEpochDesyncError } from './resumed-cursor.ts';
import { type DivergenceKind, SSEStreamDivergenceError, type StreamCheckpoint } from './resumption.ts';

/**
 * - `other-epoch`, `regression`, `gap`: the first seed's signatures, on the first frame after a resume.
 * - `divergence`: an id that came before came again with other content.
 * - `foreign-event`: a resumed stream carries another stream's event or answer.
 * - `silence`: a resumed stream that a request waits on stayed silent too long, or its session does not answer.
 * - `session-lost`: 404 for a request with a session id; the specification demands a new `initialize`.
 * - `session-changed`: a response names another session id.
 * - `resume-refused`: the server does not resume this stream, and will not.
 * - `cut-off`: the stream ended without the answer, and nothing to resume it with was ever sent.
 * - `no-answer`: 202 to a request; no stream that could bring the answer.
 * - `never-resumed`: the client did not come back for a broken stream, or was not let in, for too long.
 */
export type DesyncCause =
  | 'other-epoch'
  | 'regression'
  | 'gap'
  | 'divergence'
  | 'foreign-event'
  | 'silence'
  | 'session-lost'
  | 'session-changed'
  | 'resume-refused'
  | 'cut-off'
  | 'no-answer'
  | 'never-resumed';

export interface Failure {
  readonly cause: DesyncCause;
  readonly message: string;
  /** The cursor that the client presented, or would have; `''` = none. */
  readonly lastSeenId: string;
  readonly firstReplayedId?: string | undefined;
  readonly checkpoint?: StreamCheckpoint | undefined;
  /** The seed's error, where it is one of the first document's signatures. */
  readonly error?: StreamEpochDesyncError | undefined;
}

/**
 * JSON-RPC error code of every error that the guard answers with: in the range that the specification leaves
 * to servers, and none that the official SDKs use.
 */
export const desyncErrorCode = -32090;

/** A request as its client sent it. */
export interface AffectedRequest {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
}

/** The `data` of the guard's JSON-RPC errors. */
export interface DesyncErrorData {
  readonly source: 'mcp-chaos/guard';
  readonly cause: DesyncCause;
  readonly lastSeenId: string | null;
  readonly firstReplayedId: string | null;
  readonly request: { readonly id: RequestId; readonly method: string; readonly tool: string | null };
  /** True: initialise a new session; this one is refused from now on. */
  readonly sessionEnded: boolean;
}

export function errorMessage(failure: Failure, request: AffectedRequest, sessionEnded: boolean): object {
  const tool = toolOf(request);
  const data: DesyncErrorData = {
    source: 'mcp-chaos/guard',
    cause: failure.cause,
    lastSeenId: failure.lastSeenId === '' ? null : failure.lastSeenId,
    firstReplayedId: failure.firstReplayedId ?? null,
    request: { id: request.id, method: request.method, tool },
    sessionEnded,
  };
  const what = tool === null ? request.method : `${request.method} ${tool}`;
  return {
    jsonrpc: '2.0',
    id: request.id,
    error: {
      code: desyncErrorCode,
      message: `${failure.cause}: ${failure.message} (${what}: its answer is lost; it may have run)`,
      data,
    },
  };
}

export function toolOf({ method, params }: AffectedRequest): string | null {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null) return null;
  return 'name' in params && typeof params.name === 'string' ? params.name : null;
}

/** As an exception: the seed's own error, else the second seed's with the kind nearest to the cause. */
export function asError(failure: Failure): StreamEpochDesyncError | SSEStreamDivergenceError {
  if (failure.error !== undefined) return failure.error;
  return new SSEStreamDivergenceError(kinds[failure.cause], failure.message, failure.checkpoint);
}

const kinds: Readonly<Record<DesyncCause, DivergenceKind>> = {
  'other-epoch': 'other-epoch',
  regression: 'divergence',
  gap: 'gap',
  divergence: 'divergence',
  'foreign-event': 'divergence',
  silence: 'silence',
  'session-lost': 'session-invalid',
  'session-changed': 'session-invalid',
  'resume-refused': 'session-invalid',
  'cut-off': 'ended',
  'no-answer': 'ended',
  'never-resumed': 'ended',
};
