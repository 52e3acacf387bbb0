/**
 * A history sorted for drawing: facts by exchange, exchanges by stream and by lane. One pass, nothing
 * decoded; bodies are read where a picture asks for them.
 */
import type { Fact } from '../../history/fact.ts';
import type { OfKind } from '../../history/queries.ts';

export interface ExchangeView {
  readonly n: number;
  readonly request: OfKind<'request'>;
  /** Every fact that names the exchange, in order. */
  readonly facts: readonly Fact[];
  /** The logical stream that its response carried, if any. */
  readonly stream: string | undefined;
  readonly resumed: OfKind<'stream-resumed'> | undefined;
}

export interface HistoryView {
  readonly facts: readonly Fact[];
  readonly started: OfKind<'run-started'> | undefined;
  readonly exited: OfKind<'child-exited'> | undefined;
  /** Decisions by id. */
  readonly decisions: ReadonlyMap<string, OfKind<'decision'>>;
  /** Facts that belong to no exchange and that pictures show: epochs, deadlines, marks. */
  readonly beside: readonly Fact[];
  exchange(n: number): ExchangeView | undefined;
  /** In the order in which their requests came. */
  exchanges(): Iterable<ExchangeView>;
  /** Numbers of the exchanges that carried a stream, its birth first. */
  exchangesOf(stream: string): readonly number[];
  /** In the order in which they were opened. */
  streams(): Iterable<string>;
  fact(seq: number): Fact | undefined;
}

interface Draft {
  readonly n: number;
  request: OfKind<'request'> | undefined;
  readonly facts: Fact[];
  stream: string | undefined;
  resumed: OfKind<'stream-resumed'> | undefined;
}

const kindsBeside: readonly Fact['kind'][] = ['session-restarted', 'deadline-elapsed', 'mark'];

export interface GrowingHistoryView extends HistoryView {
  add(fact: Fact): void;
}

export function viewHistory(facts: readonly Fact[]): HistoryView {
  const view = createHistoryView();
  for (const fact of facts) view.add(fact);
  return view;
}

/** For a page that is fed while the run goes on. */
export function createHistoryView(): GrowingHistoryView {
  const facts: Fact[] = [];
  const beside: Fact[] = [];
  const exchanges = new Map<number, Draft>();
  const streams = new Map<string, number[]>();
  const decisions = new Map<string, OfKind<'decision'>>();
  let started: OfKind<'run-started'> | undefined;
  let exited: OfKind<'child-exited'> | undefined;

  const draft = (n: number): Draft => {
    let found = exchanges.get(n);
    if (found === undefined) {
      found = { n, request: undefined, facts: [], stream: undefined, resumed: undefined };
      exchanges.set(n, found);
    }
    return found;
  };
  const whole = (one: Draft | undefined): ExchangeView | undefined =>
    one?.request === undefined ? undefined : (one as ExchangeView);

  return {
    facts,
    beside,
    decisions,
    get started() {
      return started;
    },
    get exited() {
      return exited;
    },
    add(fact) {
      facts.push(fact);
      if (kindsBeside.includes(fact.kind)) beside.push(fact);
      if (fact.kind === 'run-started') started = fact;
      else if (fact.kind === 'child-exited') exited = fact;
      else if (fact.kind === 'decision') decisions.set(fact.id, fact);
      if (!('exchange' in fact) || fact.exchange === undefined) return;
      const one = draft(fact.exchange);
      one.facts.push(fact);
      if (fact.kind === 'request') one.request = fact;
      else if (fact.kind === 'stream-opened' || fact.kind === 'stream-resumed') {
        one.stream = fact.stream;
        if (fact.kind === 'stream-resumed') one.resumed = fact;
        const carried = streams.get(fact.stream) ?? [];
        if (!carried.includes(fact.exchange)) carried.push(fact.exchange);
        streams.set(fact.stream, carried);
      }
    },
    exchange: (n) => whole(exchanges.get(n)),
    *exchanges() {
      for (const one of exchanges.values()) {
        const view = whole(one);
        if (view !== undefined) yield view;
      }
    },
    exchangesOf: (stream) => streams.get(stream) ?? [],
    streams: () => streams.keys(),
    fact: (seq) => at(facts, seq),
  };
}

/** `seq` rises; where none is missing it is the place in the list. */
function at(facts: readonly Fact[], seq: number): Fact | undefined {
  if (facts[seq - 1]?.seq === seq) return facts[seq - 1];
  let low = 0;
  let high = facts.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = facts[middle]!;
    if (found.seq === seq) return found;
    if (found.seq < seq) low = middle + 1;
    else high = middle - 1;
  }
  return undefined;
}
