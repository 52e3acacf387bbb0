/**
 * A fault is a named, pure recipe: subject and concrete parameters in, effects out.
 *
 * A decision arms one fault for one call (one logical stream, over all its resumptions). The pump then
 * consults `plan` at every seam of that call. `undefined` means "not interested": the subject passes.
 * All chance is in the parameters, which are drawn once when the decision is made, so a recorded
 * decision can be applied again as written.
 */
import type * as z from 'zod';
import type { Contract } from '../cursor/contract.ts';
import type { Seam } from '../history/fact.ts';
import type { Effect } from './effect.ts';

/** One SSE frame as the replay store keeps it. */
export interface StoredFrame {
  /** The bytes a coherent proxy would show: ids already owned by us where the contract says so. */
  readonly raw: Uint8Array;
  /** The id field inside `raw`; undefined where the frame carries none. */
  readonly id: string | undefined;
  /** Position in the logical stream, from 0, over all attempts. */
  readonly index: number;
  /** `priming` = an id with empty data or no data line. */
  readonly content: 'response' | 'request' | 'notification' | 'priming' | 'comment' | 'other';
  /** A response to the request this stream was opened for. */
  readonly answers: boolean;
}

/** What a fault may know of the call it is armed for. */
export interface CallView {
  readonly channel: 'POST' | 'GET';
  readonly method: string;
  readonly tool: string | undefined;
  /** Negotiated revision as read off the wire; undefined before `initialize` was answered. */
  readonly revision: string | undefined;
  readonly contract: Contract;
  readonly hasSession: boolean;
}

interface At<S extends Seam> {
  readonly seam: S;
  readonly call: CallView;
  /** 0 for the exchange the stream was born in, then one for each resumption. */
  readonly attempt: number;
}

/** The client's request, whole, before upstream sees it. */
export type RequestSubject = At<'request'>;
/** Upstream's response head. */
export type HeadSubject = At<'head'> & { readonly status: number; readonly sse: boolean };
/** One frame of a live stream on its way to the client. */
export type FrameSubject = At<'frame'> & {
  readonly frame: StoredFrame;
  /** 1 for the first frame of this attempt. */
  readonly position: number;
  /** Frames before this one in the logical stream, oldest first (bounded by the replay store). */
  readonly earlier: readonly StoredFrame[];
  /** Frames of the lane's other streams, oldest first. */
  readonly foreign: readonly StoredFrame[];
};
/** A GET with `Last-Event-ID` for a stream that the store knows. */
export type ResumeSubject = At<'resume'> & {
  readonly cursor: string;
  /** What a coherent resume delivers now. Frames that are not there yet come by `follow`. */
  readonly missed: readonly StoredFrame[];
  /** What the client has had, oldest first. */
  readonly delivered: readonly StoredFrame[];
  /** Frames of the lane's other streams, oldest first. */
  readonly foreign: readonly StoredFrame[];
  /** The response has already come from upstream. */
  readonly answered: boolean;
};
/** Upstream's stream ended by itself. */
type EndSubject = At<'end'> & { readonly answered: boolean };

export type Subject = RequestSubject | HeadSubject | FrameSubject | ResumeSubject | EndSubject;

/** Whether a client could know, from what it is shown. */
export type Detectability = 'definite' | 'inferable' | 'none';

export interface Detection {
  readonly level: Detectability;
  readonly why: string;
}

export interface Fault<Params = unknown> {
  /** One slug from YAML to report. */
  readonly name: string;
  /** One sentence: what happens on the wire. */
  readonly summary: string;
  /** The real-world thing it imitates. */
  readonly imitates: string;
  /** `stream` faults touch one call; `session` faults change the lane and follow its one keyed draw. */
  readonly reach: 'stream' | 'session';
  /** The seam at which it counts as applied; what it does elsewhere is its prelude. */
  readonly seam: Seam | ((params: Params) => Seam);
  readonly channels: readonly ('POST' | 'GET')[];
  /** What it cannot do without; where that is missing it is recorded as not applicable. */
  readonly needs?: 'managed upstream';
  /** A correct client survives it. */
  readonly control: boolean | ((params: Params) => boolean);
  readonly detectability: Detection | ((params: Params) => Detection);
  /** Obligations that this fault is meant to exercise, by slug; for docs and coverage, never for judging. */
  readonly provokes: readonly string[];
  /** Concrete parameters: strict, with defaults. */
  readonly params: z.ZodType<Params>;
  plan(subject: Subject, params: Params): readonly Effect[] | undefined;
}

/** Infers the parameters from the schema. */
export function defineFault<Params>(fault: Fault<Params>): Fault<Params> {
  return fault;
}
