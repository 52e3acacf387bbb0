/** What is known of the run as a whole: its header, its decisions, its end, and what went wrong on our side. */
import type {
  AppliedFact,
  ChildExited,
  DecisionFact,
  Fact,
  InternalErrorFact,
  RunEnded,
  RunStarted,
  Seam,
  UpstreamProcessFact,
} from '../../history/fact.ts';
import { leftAloneNote } from './left-alone.ts';
import type { Session } from './session.ts';

export interface DecisionState {
  readonly fact: DecisionFact;
  /** Where it acts; journals from before it was written down show it only where it was applied. */
  seam: Seam | undefined;
  /** It did something to what a client saw, beyond preparing it. */
  applied: boolean;
  why: string | undefined;
}

export type Applied = AppliedFact & { readonly seq: number };

export interface ProcessEnd {
  readonly upstream: string;
  readonly seq: number;
  readonly at: number;
  /** Absent: it ended by itself, and what follows is nobody's duty. */
  readonly decision: string | undefined;
  /** When its successor answered. */
  replaced: number | undefined;
}

export interface Run {
  started: RunStarted | undefined;
  readonly decisions: Map<string, DecisionState>;
  /** Newest last. */
  readonly appliedTo: { readonly exchange: Map<number, Applied[]>; readonly stream: Map<string, Applied[]> };
  exited: ChildExited | undefined;
  ended: RunEnded | undefined;
  /** Ends of managed upstreams' processes, oldest first: by a decision, or by themselves. */
  readonly processEnds: ProcessEnd[];
  readonly errors: InternalErrorFact[];
  /** By what they are about, so that a later one takes the place of an earlier. */
  readonly notes: Map<string, string>;
  /** The journal's times go backwards: nothing may rest on them. */
  clockBroken: boolean;
  lastAt: number;
}

export function createRun(): Run {
  return {
    started: undefined,
    decisions: new Map(),
    appliedTo: { exchange: new Map(), stream: new Map() },
    exited: undefined,
    ended: undefined,
    processEnds: [],
    errors: [],
    notes: new Map(),
    clockBroken: false,
    lastAt: 0,
  };
}

/** Takes in what is not about an exchange. */
export function noteRunFact(run: Run, fact: Fact): void {
  if (!Number.isFinite(fact.at) || fact.at < run.lastAt) run.clockBroken = true;
  else run.lastAt = fact.at;
  switch (fact.kind) {
    case 'run-started':
      run.started ??= fact;
      break;
    case 'decision':
      run.decisions.set(fact.id, { fact, seam: fact.seam, applied: false, why: undefined });
      break;
    case 'applied': {
      push(run.appliedTo.exchange, fact.exchange, fact);
      if (fact.stream !== undefined) push(run.appliedTo.stream, fact.stream, fact);
      const decision = run.decisions.get(fact.decision);
      if (decision !== undefined && !fact.prelude) {
        decision.applied = true;
        decision.seam ??= fact.seam;
      }
      break;
    }
    case 'not-applicable': {
      const decision = run.decisions.get(fact.decision);
      if (decision !== undefined) decision.why = fact.why;
      break;
    }
    case 'child-exited':
      run.exited ??= fact;
      break;
    case 'run-ended':
      run.ended ??= fact;
      break;
    case 'upstream-process':
      noteProcess(run, fact);
      break;
    case 'internal-error':
      run.errors.push(fact);
      break;
    case 'store-evicted':
      run.notes.set(
        `evicted ${fact.lane}`,
        `the replay store reached its bound: ${fact.events} events of lane ${fact.lane} are gone`,
      );
      break;
    case 'not-deterministic': {
      const scope = fact.scope === '' ? 'the default scope' : `scope ${fact.scope}`;
      run.notes.set(
        `order ${fact.scope} ${fact.why}`,
        `${scope} does not promise the same decisions for the same seed: ${fact.why}`,
      );
      break;
    }
    case 'left-alone':
      run.notes.set(`left alone ${fact.reason}`, leftAloneNote(fact));
      break;
    case 'rewritten':
      run.notes.set(`rewritten ${fact.what}`, `${fact.what} was made to name the proxy`);
      break;
  }
}

function noteProcess(
  run: Run,
  fact: UpstreamProcessFact & { readonly seq: number; readonly at: number },
): void {
  const { upstream, state, seq, at, decision, why = '' } = fact;
  if (state === 'started') {
    for (const end of run.processEnds) if (end.upstream === upstream) end.replaced ??= seq;
  } else if (state === 'stopping') {
    run.processEnds.push({ upstream, seq, at, decision, replaced: undefined });
  } else {
    run.processEnds.push({ upstream, seq, at, decision: undefined, replaced: undefined });
    const what = state === 'ended' ? 'ended by itself' : 'did not come up again after a restart';
    run.notes.set(
      `process ${upstream}`,
      `the process of upstream "${upstream}" ${what} (${why}); what clients met from then on is not held against them`,
    );
  }
}

/**
 * The newest end of the process that a session lived in, by this moment. A session without an id does not
 * live anywhere: it only misses the process while there is none. Connections are seen to break before the
 * process is seen to have ended by itself.
 */
export function processEndOf(
  run: Run,
  session: Session,
  spot: { readonly seq: number; readonly at: number },
): ProcessEnd | undefined {
  return run.processEnds.findLast(
    ({ upstream, seq, at, decision, replaced = Number.POSITIVE_INFINITY }) =>
      upstream === session.upstream &&
      (session.pseudonym === null ? replaced > spot.seq : seq > session.born.seq) &&
      (seq < spot.seq || (decision === undefined && at - spot.at <= seenLateMs)),
  );
}

/** The operating system tells of a process's end some milliseconds after its connections broke; on a loaded machine more. */
const seenLateMs = 1000;

function push<K>(map: Map<K, Applied[]>, key: K, fact: Applied): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [fact]);
  else list.push(fact);
}

/** What was last applied to this exchange, else to its stream; one that counts before a prelude. */
export function appliedAt(run: Run, exchange: number, stream?: string): Applied | undefined {
  const here = run.appliedTo.exchange.get(exchange) ?? [];
  const there = stream === undefined ? [] : (run.appliedTo.stream.get(stream) ?? []);
  const counts = (fact: Applied): boolean => !fact.prelude;
  return here.findLast(counts) ?? there.findLast(counts) ?? here.at(-1) ?? there.at(-1);
}
