/** One HTTP request and its response, as both sides of the proxy saw it. */
import type { Ending, RequestFact } from '../../history/fact.ts';
import type { Message } from '../../mcp/message.ts';
import type { BodyReader } from './body-reader.ts';
import type { Call } from './call.ts';
import type { Session } from './session.ts';
import type { Leg } from './stream.ts';

/** A point in the history: the order of facts decides, `at` (milliseconds) only measures. */
export interface Spot {
  readonly seq: number;
  readonly at: number;
}

export interface ShownHead extends Spot {
  readonly status: number;
  readonly sse: boolean;
  readonly json: boolean;
  readonly session: string | undefined;
  readonly decision: string | undefined;
}

export interface ShownEnd extends Spot {
  /** When the exchange was last heard of before: the ending went out no earlier than that, in ms. */
  readonly notBefore: number;
  readonly how: Ending;
  readonly by: 'upstream' | 'client' | 'proxy';
  /** Everything written had left the process first; undefined where the proxy did not say. */
  readonly flushed: boolean | undefined;
  readonly decision: string | undefined;
}

export interface Exchange {
  readonly n: number;
  readonly fact: RequestFact;
  readonly start: Spot;
  /** Known for sure once the body is: an `initialize` begins a new one. */
  session: Session;
  /** What the client sent; empty until its body is known. */
  messages: readonly Message[];
  /** The requests among them. */
  readonly calls: Call[];
  /** The client's side of the response. */
  head: ShownHead | undefined;
  /** What upstream answered, where the client was shown something else. */
  upstreamHead: { readonly status: number; readonly session: string | undefined } | undefined;
  end: ShownEnd | undefined;
  /** Set while a `stall` lasts; the connection is open. */
  stalled: ShownEnd | undefined;
  /** `at` of the newest fact about it. */
  lastAt: number;
  /** Its part of an SSE stream. */
  leg: Leg | undefined;
  clientBody: BodyReader | undefined;
  upstreamBody: BodyReader | undefined;
}

export function createExchange(fact: RequestFact & Spot, session: Session): Exchange {
  return {
    n: fact.exchange,
    fact,
    start: { seq: fact.seq, at: fact.at },
    session,
    messages: [],
    calls: [],
    head: undefined,
    upstreamHead: undefined,
    end: undefined,
    stalled: undefined,
    lastAt: fact.at,
    leg: undefined,
    clientBody: undefined,
    upstreamBody: undefined,
  };
}
