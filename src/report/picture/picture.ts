/**
 * The one picture of a finding: the streams it is about, step by step in time, and what the client did next.
 * A pure function of the history and the finding, computed when somebody looks at it.
 */
import type { Contract } from '../../cursor/contract.ts';
import type { Finding } from '../../watcher/report.ts';
import { inertText } from '../inert.ts';
import { besideSteps, clientDeadline, endOfRun } from './beside-steps.ts';
import {
  decisionSteps,
  endSteps,
  headSteps,
  type Marked,
  requestBody,
  requestStep,
} from './exchange-steps.ts';
import { fold } from './fold.ts';
import { frameSteps } from './frame-steps.ts';
import type { ExchangeView, HistoryView } from './history-view.ts';
import type { Arrow, Step } from './step.ts';
import { durationInWords } from './words.ts';

export interface Picture {
  readonly steps: readonly Step[];
  /** Milliseconds since the run began at which the picture begins. */
  readonly from: number;
}

/** Acts of the client after the last piece of evidence that are shown besides. */
const actsAfterwards = 3;
/** Requests between the occasion and the evidence that the finding does not name. */
const actsBetween = 12;

export function pictureOf(history: HistoryView, finding: Finding): Picture {
  const evidence = new Set(finding.evidence);
  const marked: Marked = { evidence };
  const core = coreExchanges(history, finding);
  const [first] = core;
  if (first === undefined) return { steps: [], from: 0 };
  const last = lastEvidence(history, finding, core);
  const acts = nextActs(history, core, last);
  const steps = [
    ...streamSteps(history, core, marked),
    ...acts.flatMap((act) => [requestStep(act, marked, 'quiet'), ...refusalOf(act, marked)]),
    ...besideSteps(history, core, evidence, finding),
    ...clientDeadline(history, finding),
    ...endOfRun(history, finding),
  ];
  return assemble(steps);
}

/** One stream, or one exchange without one, for a look that no finding asks for. */
export function pictureOfExchanges(history: HistoryView, exchanges: readonly number[]): Picture {
  const views = exchanges.flatMap((n) => history.exchange(n) ?? []);
  return assemble(streamSteps(history, views, { evidence: new Set() }));
}

function assemble(steps: readonly Step[]): Picture {
  const sorted = [...steps].sort((a, b) => a.at - b.at || a.seq - b.seq);
  const seen = new Set<string>();
  const unique = sorted.filter(({ seq, kind }) => {
    const key = `${seq} ${kind}`;
    return !seen.has(key) && seen.add(key);
  });
  return { steps: withPauses(fold(withoutTail(unique))).map(inertStep), from: sorted[0]?.at ?? 0 };
}

/** Whatever came over the wire is shown and does nothing. Bytes stay bytes: who shows them makes them inert. */
function inertStep(step: Step): Step {
  const { left, right, text, instead, sentence } = step;
  return {
    ...step,
    sentence: inertText(sentence),
    ...(left === undefined ? {} : { left: inertArrow(left) }),
    ...(right === undefined ? {} : { right: inertArrow(right) }),
    ...(text === undefined ? {} : { text: inertText(text) }),
    ...(instead === undefined ? {} : { instead: inertText(instead) }),
  };
}

function inertArrow(arrow: Arrow): Arrow {
  const { id, label } = arrow;
  return { ...arrow, label: inertText(label), ...(id === undefined ? {} : { id: inertText(id) }) };
}

/** Streams may stay open long after the story is over; their ends then tell nothing of it. */
function withoutTail(steps: readonly Step[]): readonly Step[] {
  const last = steps.findLastIndex((step) => step.kind !== 'end' || step.evidence);
  const at = steps[last]?.at ?? 0;
  return steps.filter((step, index) => index <= last || step.at - at < pauseMs);
}

/** Everything that happened on these exchanges; those of one stream are read together. */
function streamSteps(
  history: HistoryView,
  exchanges: readonly ExchangeView[],
  marked: Marked,
): readonly Step[] {
  const contract: Contract = history.started?.contract ?? 'opaque';
  const groups = new Map<string, ExchangeView[]>();
  for (const exchange of exchanges) {
    const key = exchange.stream ?? `exchange ${exchange.n}`;
    groups.set(key, [...(groups.get(key) ?? []), exchange]);
  }
  const faultOf = (id: string): string | undefined => history.decisions.get(id)?.fault;
  return [
    ...exchanges.flatMap((exchange) => [
      requestStep(exchange, marked),
      ...headSteps(exchange, marked),
      ...endSteps(exchange, marked),
      ...decisionSteps(exchange, marked, faultOf),
    ]),
    ...[...groups.values()].flatMap((group) => frameSteps(group, contract, marked)),
  ];
}

/** The request's own exchange, those that the evidence names, and every other of their streams. */
export function coreExchanges(history: HistoryView, finding: Finding): readonly ExchangeView[] {
  const numbers = new Set<number>();
  const add = (n: number): void => {
    numbers.add(n);
    const stream = history.exchange(n)?.stream;
    if (stream !== undefined) for (const other of history.exchangesOf(stream)) numbers.add(other);
  };
  if (finding.request !== null) add(finding.request.exchange);
  for (const seq of finding.evidence) {
    const fact = history.fact(seq);
    if (fact !== undefined && 'exchange' in fact && fact.exchange !== undefined) add(fact.exchange);
  }
  const decision = finding.decision === null ? undefined : history.decisions.get(finding.decision);
  if (decision !== undefined) add(decision.exchange);
  return [...numbers].sort((a, b) => a - b).flatMap((n) => history.exchange(n) ?? []);
}

function lastEvidence(history: HistoryView, finding: Finding, core: readonly ExchangeView[]): number {
  const seqs = finding.evidence.length > 0 ? finding.evidence : core.map(({ request }) => request.seq);
  return Math.max(...seqs.map((seq) => history.fact(seq)?.seq ?? 0));
}

/** What the client asked in the same scope from the occasion on, beside what the finding itself is about. */
function nextActs(
  history: HistoryView,
  core: readonly ExchangeView[],
  last: number,
): readonly ExchangeView[] {
  const [first] = core;
  const known = new Set(core.map(({ n }) => n));
  const between: ExchangeView[] = [];
  const afterwards: ExchangeView[] = [];
  for (const exchange of history.exchanges()) {
    const { request } = exchange;
    if (known.has(exchange.n) || !request.mcp || request.scope !== first!.request.scope) continue;
    if (request.seq < first!.request.seq) continue;
    if (request.seq > last) {
      afterwards.push(exchange);
      if (afterwards.length >= actsAfterwards) break;
    } else if (isReaction(exchange) && between.length < actsBetween) between.push(exchange);
  }
  return [...between, ...afterwards];
}

/** Of the requests beside a broken call, those that may answer the break; other calls go on regardless. */
function isReaction(exchange: ExchangeView): boolean {
  if (exchange.request.verb !== 'POST') return true;
  const body = requestBody(exchange);
  return body !== undefined && /"(initialize|notifications\/cancelled|ping)"/.test(body);
}

/** How an act was answered matters where it was refused. */
function refusalOf(act: ExchangeView, marked: Marked): readonly Step[] {
  return headSteps(act, marked)
    .filter(({ left, right }) => /^[3-9]/.test((left ?? right)?.label ?? ''))
    .map((step) => ({ ...step, tone: 'quiet' }));
}

/** Silences that one can feel. */
const pauseMs = 400;

function withPauses(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step, index) => {
    const before = steps[index - 1];
    const gap = before === undefined ? 0 : step.at - before.at;
    return gap < pauseMs ? [step] : [pause(before!, gap), step];
  });
}

function pause({ seq, at }: Step, ms: number): Step {
  const text = durationInWords(ms);
  return {
    seq: seq + 0.25,
    at,
    kind: 'pause',
    text,
    tone: 'quiet',
    sentence: `${text} pass.`,
    evidence: false,
    raw: [],
  };
}
