/**
 * How every reporter reads a report: which findings are failures, in which order, and what a run's end
 * means in words.
 */
import { isFailure } from '../watcher/policy.ts';
import {
  type FaultRow,
  type Finding,
  levelsStrictFirst,
  type Outcome,
  outcomesWorstFirst,
  type Report,
  type Verdict,
} from '../watcher/report.ts';
import { plural } from './lines.ts';

/** How a finding stands with those who read the report. */
export type Standing = Verdict | 'unnoticed';

/**
 * `unnoticed` = a desync that could have been noticed and was not. It fails the run, though the duty that it is
 * judged by was kept: a client whose own timeout ends a silent stream bounds its wait, and has detected nothing.
 */
export function standingOf(finding: Finding): Standing {
  return finding.verdict === 'held' && isFailure(finding) ? 'unnoticed' : finding.verdict;
}

/** What fails a run, and what is violated besides; worst first, then in the order of what happened. */
export function failures(report: Report): readonly Finding[] {
  return report.findings
    .filter((finding) => finding.verdict === 'violated' || isFailure(finding))
    .sort((a, b) => rank(a) - rank(b) || firstEvidence(a) - firstEvidence(b));
}

/** Findings that the evidence does not decide, in the order of what happened. */
export function undecided(report: Report): readonly Finding[] {
  return report.findings
    .filter((finding) => finding.verdict === 'undetermined')
    .sort((a, b) => firstEvidence(a) - firstEvidence(b));
}

function rank(finding: Finding): number {
  return (
    levelsStrictFirst.indexOf(finding.level) * outcomesWorstFirst.length +
    outcomesWorstFirst.indexOf(finding.outcome)
  );
}

function firstEvidence(finding: Finding): number {
  return finding.evidence[0] ?? 0;
}

/** How often a fault's occasions came to one of these outcomes. */
export function countOf(row: FaultRow, outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, outcome) => sum + (row.outcomes[outcome] ?? 0), 0);
}

/** Rows with the worst outcome first; rows that were never applied last. */
export function worstFirst(rows: readonly FaultRow[]): readonly FaultRow[] {
  return [...rows].sort((a, b) => weight(b) - weight(a) || (a.fault < b.fault ? -1 : 1));
}

function weight(row: FaultRow): number {
  const worst = outcomesWorstFirst.findIndex((outcome) => (row.outcomes[outcome] ?? 0) > 0);
  if (worst < 0) return row.applied > 0 ? 0 : -1;
  return (
    (outcomesWorstFirst.length - worst) * 1000 + Math.min(999, row.outcomes[outcomesWorstFirst[worst]!] ?? 0)
  );
}

/** `tools/call count (id 7)`, or what stands for it where no single request was affected. */
export function requestName(finding: Finding): string {
  const { request } = finding;
  if (request === null) return 'no single request';
  const name = request.tool === null ? request.method : `${request.method} ${request.tool}`;
  return request.id === null ? name : `${name} (id ${request.id})`;
}

/** `5 of 8`, with the percentage where there is a denominator. */
export function ratio(part: number, total: number): string {
  if (total === 0) return '0 of 0';
  return `${part} of ${total} (${Math.floor((part / total) * 100)} %)`;
}

/** What one must know besides: what lay outside of the profile, and what weakens the run. */
export function notesOf({ traffic, notes }: Report): readonly string[] {
  const outside = traffic.outside.map(
    ({ what, count }) => `${plural(count, 'request')} outside the profile: ${what}`,
  );
  return [...outside, ...notes];
}

/** What the exit code says, in one sentence. */
export function exitMeaning(report: Report): string {
  const calm = report.faults.length === 0;
  if (calm && report.exitCode >= 0 && report.exitCode <= 2)
    return "nothing was injected; the command's own exit code";
  switch (report.exitCode) {
    case 0:
      return 'every detectable desync was detected, every control survived';
    case 1:
      return 'something went undetected, or a healthy session was harmed';
    case 2:
      return 'the profile was not exercised';
    case 3:
      return 'void: the evidence cannot be trusted, see the notes';
    case 64:
      return 'the run could not be carried out, see the notes';
    case 70:
      return 'an internal error of mcp-chaos ended the run';
    case 130:
      return 'interrupted';
    default:
      return "the command's own exit code";
  }
}
