/**
 * Occasions: what reached a client and asks something of it. Each kind is told from the bytes and statuses
 * that were shown, never from what a fault meant to do.
 */
import type { Detectability } from '../faults/fault.ts';
import type { Spot } from './ledger/exchange.ts';

/**
 * `rank` orders what may follow each other on one request: a stream breaks (1), its resumption is wrong (2),
 * its session is gone (3). The first of the highest rank is judged. 0 = only a suspicion so far.
 */
export interface Traits {
  readonly rank: 0 | 1 | 2 | 3;
  readonly detectability: Detectability;
  /** A correct client survives it, where no fault says otherwise. */
  readonly control: boolean;
}

const survivable = { rank: 1, detectability: 'definite', control: true } as const;
const wrong = { rank: 2, detectability: 'definite', control: false } as const;

export const traits = {
  /** The stream ended before the answer; an id says where to go on. */
  broken: survivable,
  /** The same, inside an event that carries an id. */
  'cut-inside-event': survivable,
  /** A resumption that ended without a new id: the cursor has not moved. */
  'empty-leg': survivable,
  /** The stream ended before the answer, and there is no cursor. */
  'broken-without-id': { ...wrong, rank: 1 },
  /** The same, because an empty id took the cursor away. */
  'cursor-reset': { ...wrong, rank: 1 },
  /** Ids of a live stream that do not follow each other as the contract promises: the client may leave it. */
  'ids-out-of-contract': { ...survivable, control: false },
  /** They jump: something was sent between, and the stream never broke. */
  'live-gap': { ...survivable, control: false },
  /** An id of a live stream that stands for another event already, which no server may do under any contract. */
  'id-reused': { ...survivable, control: false },
  /** Something of a live stream was left out, and nothing that was shown says so. */
  'left-out': { ...survivable, detectability: 'none', control: false },
  /** Altered on its way, and still all there. */
  altered: { rank: 1, detectability: 'none', control: true },

  /** First frames of a resumption against the cursor: the first seed's signatures. */
  'resumed-lower': wrong,
  'resumed-gap': wrong,
  'resumed-other-epoch': wrong,
  'resumed-foreign': wrong,
  /** Nothing was replayed, and a live event came instead: signature (c). */
  'resumed-fresh': wrong,
  /** Only what the client has had already came again, with the content it had. */
  'resumed-again': wrong,
  'resumed-out-of-order': wrong,
  /** Something was missed, and nothing comes. */
  'resumed-silent': { ...wrong, detectability: 'inferable' },
  /** The event at the cursor came again with other content: the second seed's digest. */
  'resumed-other-content': { ...wrong, detectability: 'inferable' },
  /** Ids go on as they should; only the content is another stream's or incarnation's. */
  'resumed-seamless': { ...wrong, detectability: 'none' },
  'resume-refused': wrong,

  /** The answer is there, and the client is not shown it. */
  withheld: { rank: 0, detectability: 'inferable', control: false },
  stalled: { ...wrong, detectability: 'inferable' },
  /** An event that arrived whole and is no message. */
  garbled: wrong,
  misrouted: wrong,
  'answered-twice': { ...survivable, control: false },

  /** 404 to a request with the session id. */
  'session-lost': { ...wrong, rank: 3 },
  /** Another status refuses the session's request. */
  'session-refused': wrong,
  /** The response to the POST can hold no answer: 202, another content type, a body that broke off. */
  'no-answer-possible': wrong,
  'session-id-changed': wrong,
  'session-id-missing': { ...survivable, detectability: 'none' },

  /** Duties of their own, judged beside the others. */
  'retry-announced': { rank: 1, detectability: 'definite', control: false },
  'reconnected-often': { rank: 1, detectability: 'definite', control: true },
  'executed-again': { rank: 1, detectability: 'definite', control: false },
  'resumed-after-answer': { rank: 1, detectability: 'definite', control: true },
} as const satisfies Readonly<Record<string, Traits>>;

export type OccasionKind = keyof typeof traits;

/** The stream is open and well but for this: nothing has to be resumed. */
const onLiveStreams: readonly OccasionKind[] = ['ids-out-of-contract', 'live-gap', 'id-reused', 'left-out'];

export function isOnLiveStream(kind: OccasionKind): boolean {
  return onLiveStreams.includes(kind);
}

export interface Occasion {
  readonly kind: OccasionKind;
  /** When it was shown: reactions and latencies count from here. */
  readonly spot: Spot;
  /** A `deadline-elapsed` for this fact or a later one counts for it. */
  readonly since: number;
  readonly exchange: number;
  readonly decision: string | undefined;
  readonly detectability: Detectability;
  readonly control: boolean;
  /** What the client was shown, in words. */
  readonly shown: string;
}

export function rankOf(kind: OccasionKind): number {
  return traits[kind].rank;
}
