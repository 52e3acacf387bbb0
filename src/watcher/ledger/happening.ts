/**
 * What a fact means for the traffic: facts are about bytes and connections, happenings about requests,
 * streams and answers. One fact may tell of several, in this order: upstream's side, then the client's.
 */
import type { AppliedFact, MarkFact } from '../../history/fact.ts';
import type { Frame } from './body-reader.ts';
import type { Answer, Call } from './call.ts';
import type { Exchange, ShownEnd, ShownHead, Spot } from './exchange.ts';
import type { Session } from './session.ts';
import type { Leg, ShownFrame, Stream } from './stream.ts';

export type Happening = Spot &
  (
    | { readonly type: 'get'; readonly exchange: Exchange }
    | { readonly type: 'delete'; readonly exchange: Exchange }
    /** The client sent requests, whole: one, or a batch. */
    | { readonly type: 'calls'; readonly exchange: Exchange; readonly calls: readonly Call[] }
    /** The client sent notifications or responses only. */
    | { readonly type: 'notified'; readonly exchange: Exchange }
    | { readonly type: 'cancelled'; readonly exchange: Exchange; readonly call: Call }
    | { readonly type: 'head'; readonly exchange: Exchange; readonly head: ShownHead }
    | { readonly type: 'leg'; readonly leg: Leg }
    | {
        readonly type: 'frame';
        readonly leg: Leg;
        readonly frame: ShownFrame;
        /** Nothing was to be resumed, or all of it had come before. */
        readonly live: boolean;
        /** The stream of another event for which its id stood already. */
        readonly namesake: Stream | undefined;
      }
    | { readonly type: 'answered'; readonly call: Call; readonly answer: Answer }
    | { readonly type: 'answered-again'; readonly call: Call; readonly exchange: Exchange }
    /** A response to a request that was never sent, or is not this stream's. */
    | { readonly type: 'stray-answer'; readonly leg: Leg; readonly id: string | number | null }
    | { readonly type: 'upstream-frame'; readonly stream: Stream; readonly frame: Frame }
    | { readonly type: 'upstream-answered'; readonly call: Call }
    /** The client's side of a response ended; stalled = it will say no more, and is open. */
    | { readonly type: 'ended'; readonly exchange: Exchange; readonly end: ShownEnd }
    | { readonly type: 'stalled'; readonly exchange: Exchange; readonly end: ShownEnd }
    | { readonly type: 'restarted'; readonly session: Session }
    | { readonly type: 'applied'; readonly applied: AppliedFact }
    | { readonly type: 'deadline'; readonly since: number }
    | { readonly type: 'mark'; readonly mark: MarkFact }
    | {
        readonly type: 'child-exited';
        readonly code: number | null;
        readonly signal: string | null;
      }
    | { readonly type: 'run-ended'; readonly reason: string }
  );
