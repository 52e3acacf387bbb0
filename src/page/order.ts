/** Findings in the order in which one should look at them, and the filters over them. */
import { type Standing, standingOf } from '../report/reading.ts';
import { type Finding, levelsStrictFirst, type Outcome, outcomesWorstFirst } from '../watcher/report.ts';
import type { Choice } from './address.ts';

const standings = [
  'violated',
  'unnoticed',
  'undetermined',
  'moot',
  'not-exercised',
  'held',
] satisfies Standing[];

export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) =>
      standings.indexOf(standingOf(a)) - standings.indexOf(standingOf(b)) ||
      levelsStrictFirst.indexOf(a.level) - levelsStrictFirst.indexOf(b.level) ||
      outcomesWorstFirst.indexOf(a.outcome) - outcomesWorstFirst.indexOf(b.outcome) ||
      (a.evidence[0] ?? 0) - (b.evidence[0] ?? 0),
  );
}

export interface Filter {
  readonly key: 'verdict' | 'fault' | 'outcome' | 'level' | 'scope' | 'session';
  readonly label: string;
  of(finding: Finding): string;
}

export const filters: readonly Filter[] = [
  { key: 'verdict', label: 'Verdict', of: standingOf },
  { key: 'fault', label: 'Fault', of: ({ fault }) => fault },
  { key: 'outcome', label: 'Outcome', of: ({ outcome }) => outcome },
  { key: 'level', label: 'Level', of: ({ level }) => level },
  { key: 'scope', label: 'Scope', of: ({ scope }) => scope },
  { key: 'session', label: 'Session', of: ({ session }) => session ?? 'none' },
];

export function passes(finding: Finding, choice: Choice): boolean {
  const wanted = filters.every(({ key, of }) => choice[key] === undefined || of(finding) === choice[key]);
  if (!wanted) return false;
  const text = choice.text?.toLowerCase();
  return text === undefined || text === '' || sayings(finding).includes(text);
}

function sayings({ fault, request, message, obligation, id, decision }: Finding): string {
  return [
    fault,
    request?.method,
    request?.tool,
    request?.id,
    message.shown,
    message.did,
    obligation,
    id,
    decision,
  ]
    .join(' ')
    .toLowerCase();
}

interface MatrixCell {
  readonly outcome: Outcome;
  readonly findings: number;
  readonly worst: Standing | undefined;
}

/** Only outcomes that occurred have a column, worst first. */
export function occurring(findings: readonly Finding[]): readonly Outcome[] {
  const found = new Set(findings.map(({ outcome }) => outcome));
  return outcomesWorstFirst.filter((outcome) => found.has(outcome));
}

export function cellOf(findings: readonly Finding[], fault: string, outcome: Outcome): MatrixCell {
  const own = findings.filter((finding) => finding.fault === fault && finding.outcome === outcome);
  const worst = standings.find((standing) => own.some((finding) => standingOf(finding) === standing));
  return { outcome, findings: own.length, worst };
}
