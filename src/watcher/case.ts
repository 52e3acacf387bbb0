/** One request (or subscription) that something happened to, and what its client has done about it so far. */

import type { Call } from './ledger/call.ts';
import type { Spot } from './ledger/exchange.ts';
import type { Session } from './ledger/session.ts';
import type { Leg, Stream, Weight } from './ledger/stream.ts';
import type { Occasion } from './occasion.ts';
import type { Flag, Outcome } from './report.ts';
import type { Lateness } from './timing.ts';

export interface Settlement {
  readonly outcome: Outcome;
  readonly confidence: 'proven' | 'inferred';
  /** The client's decisive act; undefined where there was none. */
  readonly act: Spot | undefined;
  /** What the client did, in words. */
  readonly did: string;
}

/** The client ended its wait, or its stream; whether that was a detection shows in what follows. */
export interface Closing extends Spot {
  readonly by: 'cancelled the call' | 'closed the stream';
  readonly lateness: Lateness;
}

/** A new session that may be this client's answer to the occasion. */
export interface Anew extends Spot {
  readonly session: Session;
  readonly proof: 'ids go on' | 'at once';
}

export interface Case {
  readonly id: string;
  readonly session: Session;
  /** The affected request; undefined = the session's subscription, its stand-alone stream. */
  readonly call: Call | undefined;
  readonly stream: Stream | undefined;
  readonly opened: Spot;
  occasion: Occasion;
  /** A suspicion is not reported before something makes it real. */
  visible: boolean;
  settled: Settlement | undefined;
  readonly flags: Set<Flag>;
  readonly evidence: Set<number>;
  readonly exchanges: Set<number>;

  /** Attempts to go on: resumptions, streams opened anew, the same POST again. */
  readonly tries: Spot[];
  resumed: 'not' | 'with its cursor' | 'without a cursor' | 'with a wrong cursor' | 'with an unfinished id';
  /** A resumption was shown everything that was due, by what the proxy knows. */
  coherent: boolean;
  /** The last resumption that was tied to it. */
  leg: Leg | undefined;
  closing: Closing | undefined;
  anew: Anew | undefined;
  /** A later call for the same work in the same session: perhaps the suite's own. */
  again: Call | undefined;
  /** A bare GET that may stand for its resumption, by its number. */
  bareGet: number | undefined;
  /** The same work asked for again. */
  reissue: Call | undefined;
  rejectedBy: (Spot & { readonly error: string }) | undefined;
  /** What the run's `--deadline` passed for while the client was there and still waited. */
  readonly deadlines: number[];
  /** The client ended its session, or closed the last it had open of it. */
  left: Spot | undefined;
  /** A new session began in its scope that may be its client's. */
  rivalled: boolean;
  /** The session that was said to be gone was used again, and refused again. */
  reused: boolean;
  /** It did not take what it was shown whole: it came back for more. */
  doubtful: boolean;
  /** A client that has one call at a time has begun its next one. */
  settledInSequence: boolean;
  /** Not the client's fault, or not its duty, for this reason. */
  moot: string | undefined;
  /** A time was compared: in a journal whose clock goes backwards nothing follows from it. */
  timed: boolean;
  /** What was never shown, weighed when it was settled. */
  lost: Weight | undefined;
  /** Why it is undecided, if it stays so. */
  why: string | undefined;
}

export function isSettled(one: Case): boolean {
  return one.settled !== undefined;
}

/** The stream on which the affected request waits, or that is the subscription. */
export function streamOf(one: Case): Stream | undefined {
  return one.call === undefined ? one.stream : one.call.stream;
}

/** The client's side of that stream is open at this moment. */
export function openLeg(one: Case): Leg | undefined {
  return streamOf(one)?.legs.findLast((leg) => leg.exchange.end === undefined);
}
