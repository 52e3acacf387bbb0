/** One JSON-RPC request of the client: the thing that a stream fault may strand. */
import { argumentsDigest } from '../../mcp/digest.ts';
import { toolOf } from '../../mcp/family.ts';
import type { Request } from '../../mcp/message.ts';
import type { Exchange, Spot } from './exchange.ts';
import type { Session } from './session.ts';
import type { Stream } from './stream.ts';

export interface Answer extends Spot {
  readonly exchange: Exchange;
  /** The event id it came under, where it came as an event. */
  readonly frameId: string | undefined;
  readonly failed: boolean;
}

export interface Call extends Spot {
  readonly id: string | number;
  readonly method: string;
  readonly tool: string | null;
  /** Method, tool and arguments: two calls with one key ask for the same work. */
  readonly key: string;
  readonly session: Session;
  /** The exchange that carried it first. */
  readonly exchange: Exchange;
  /** Place in its batch, from 0. */
  readonly index: number;
  readonly progressToken: string | number | undefined;
  /** How many calls with this key the session had sent before. */
  readonly earlier: number;
  /** The stream that is to answer it. */
  stream: Stream | undefined;
  /** When progress for it was last shown. */
  progressAt: number | undefined;
  upstreamAnswer: Spot | undefined;
  /** The first answer that the client was shown whole. */
  answer: Answer | undefined;
  /** Written right before a reset: it may never have been read. */
  maybeAnswer: Answer | undefined;
  /** `notifications/cancelled` for it. */
  cancelled: (Spot & { readonly reason: string }) | undefined;
}

export function createCall(request: Request, exchange: Exchange, spot: Spot, index: number): Call {
  const tool = toolOf(request) ?? null;
  const key = [request.method, tool ?? '', argumentsDigest(request.params)].join(' ');
  return {
    id: request.id,
    method: request.method,
    tool,
    key,
    session: exchange.session,
    exchange,
    index,
    seq: spot.seq,
    at: exchange.start.at,
    progressToken: progressTokenOf(request.params),
    earlier: exchange.session.countOf(key),
    stream: undefined,
    progressAt: undefined,
    upstreamAnswer: undefined,
    answer: undefined,
    maybeAnswer: undefined,
    cancelled: undefined,
  };
}

/** Ids correlate with their type: `1` and `"1"` are two requests. */
export function idKey(id: string | number): string {
  return `${typeof id} ${id}`;
}

/** Shown to the client for sure. */
export function isAnswered(call: Call): boolean {
  return call.answer !== undefined;
}

function progressTokenOf(params: unknown): string | number | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const meta = (params as { readonly _meta?: unknown })._meta;
  if (typeof meta !== 'object' || meta === null) return undefined;
  const token = (meta as { readonly progressToken?: unknown }).progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
