/**
 * `mcp-chaos/guard`: what a correct MCP client does about streams that resume into something else.
 * No dependencies, no Node: it runs wherever `fetch` and `ReadableStream` do.
 */

export type { RequestId } from './answer-reader.ts';
export type { GuardClock } from './clock.ts';
export type { Desync } from './context.ts';
export { type Contract, contracts, readContract } from './contract.ts';
export { digestEvent } from './digest.ts';
export { type AffectedRequest, type DesyncCause, type DesyncErrorData, desyncErrorCode } from './failure.ts';
export { type GuardOptions, guardFetch } from './guard-fetch.ts';
export type { FetchLike } from './outgoing.ts';
export {
  type Signature,
  StreamEpochDesyncError,
  validateResumedCursor,
  validateResumedId,
} from './resumed-cursor.ts';
export {
  createCheckpoint,
  type DivergenceKind,
  type Expected,
  type ReceivedEvent,
  type Reconnection,
  type ResumableConnection,
  type ResumeOptions,
  type Resumption,
  resumeStream,
  SSEStreamDivergenceError,
  type StreamCheckpoint,
  validateResumption,
} from './resumption.ts';
