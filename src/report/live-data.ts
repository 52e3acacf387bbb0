/** What the live page and its server say to each other, as JSON over one WebSocket. */
import type { Fact } from '../history/fact.ts';
import type { PageData } from './page-data.ts';

/** Embedded in the page. */
export interface LiveStart {
  /** `ws://…`: the feed. */
  readonly socket: string;
  /** Where clients connect to; empty before the run has begun. */
  readonly clients: string;
  /** In the order in which they are offered. */
  readonly faults: readonly FaultChoice[];
}

export interface FaultChoice {
  readonly name: string;
  readonly summary: string;
  readonly control: boolean;
  readonly channels: readonly ('POST' | 'GET')[];
  /** It acts before a stream begins, and so only on a call that has yet to come. */
  readonly early: boolean;
}

export type ToPage =
  /** In the order of `seq`; the first message has everything so far. */
  | { readonly type: 'facts'; readonly facts: readonly Fact[] }
  /** What would be reported if the run ended now. `ended`: it did, and this is the last. */
  | { readonly type: 'report'; readonly data: PageData; readonly ended: boolean }
  | { readonly type: 'injected'; readonly said: string; readonly ok: boolean };

export interface FromPage {
  readonly type: 'inject';
  readonly fault: string;
  readonly target: { readonly stream: string } | { readonly scope: string };
}
