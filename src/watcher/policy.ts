/** What a report means for a script: its exit code, and the ways to ask for more or less. */

import { obligations } from './obligations/index.ts';
import {
  type Finding,
  type Flag,
  flagOrder,
  levelsStrictFirst,
  type Outcome,
  outcomesWorstFirst,
  type Report,
} from './report.ts';

/** A failure that is known, from a baseline file. What is left out matches anything. */
export interface ExpectedFailure {
  readonly obligation: string;
  readonly fault?: string;
  readonly tool?: string;
  readonly scope?: string;
  readonly outcome?: Outcome;
}

export interface PolicyOptions {
  /** Levels, obligations, outcomes, flags or `undetermined`: these findings fail the run as well. */
  readonly failOn?: readonly string[];
  /** Share of detectable desyncs, 0 to 1, from which on the rest may go undetected; below it the run fails. */
  readonly minDetection?: number;
  /** The suite's own failure fails the run. */
  readonly suiteExit?: boolean;
  /** Failures that do not fail the run; an entry that matches none does. */
  readonly expected?: readonly ExpectedFailure[];
}

export interface Failures {
  /** Findings that fail the run. */
  readonly findings: readonly Finding[];
  /** Entries of the baseline that no failure matches any more. */
  readonly stale: readonly ExpectedFailure[];
  /** The share of detected desyncs where it is below what was asked for. */
  readonly detection: number | undefined;
  readonly suite: boolean;
}

/** 3, 1, 2 or 0; the child's own under a profile without rules. 70, 64 and 130 are the shell's. */
export function exitCode(report: Report, options: PolicyOptions = {}): number {
  if (report.void) return 3;
  const calm = report.faults.length === 0;
  const { findings, stale, detection: tooLow, suite } = failuresOf(report, options);
  // Without faults the run is the suite's own; only what was asked for explicitly fails it besides.
  const counted = calm ? findings.filter((finding) => isAskedFor(finding, options)) : findings;
  if (counted.length > 0 || stale.length > 0 || tooLow !== undefined || (suite && !calm)) return 1;
  if (calm) return suiteCode(report);
  // A client may answer the first sign of a fault before the fault has done all it was to do.
  const { detection, faults } = report.coverage;
  return faults.applied === 0 && detection.total === 0 ? 2 : 0;
}

/** Of one run, or of many put together. */
export function failuresOf(
  report: Pick<Report, 'findings' | 'suite'> & { readonly coverage: Pick<Report['coverage'], 'detection'> },
  options: PolicyOptions,
): Failures {
  const { expected = [], minDetection, suiteExit = false } = options;
  const { detected, total } = report.coverage.detection;
  const ratio = total === 0 ? 1 : detected / total;
  const tolerant = minDetection !== undefined && ratio >= minDetection;
  const failing = report.findings.filter(
    (finding) => isAskedFor(finding, options) || (isFailure(finding) && !(tolerant && isMiss(finding))),
  );
  return {
    findings: failing.filter((finding) => !expected.some((entry) => matches(entry, finding))),
    stale: expected.filter(
      (entry) => !report.findings.some((finding) => isFailure(finding) && matches(entry, finding)),
    ),
    detection: minDetection !== undefined && ratio < minDetection ? ratio : undefined,
    suite: suiteExit && suiteCode(report) !== 0,
  };
}

/** Something undetected, a duty broken, or a false alarm. Advice alone fails a run only where a desync went unnoticed. */
export function isFailure(finding: Finding): boolean {
  const { verdict, level, detected } = finding;
  return isMiss(finding) || (verdict === 'violated' && (level !== 'ADVICE' || detected === false));
}

/** A healthy session was harmed over something that a correct client survives. */
export function isFalseAlarm({ countsFor, outcome, verdict }: Finding): boolean {
  return countsFor === 'false-alarms' && outcome === 'overreacted' && verdict === 'violated';
}

/** A desync that could have been noticed and was not: what `--min-detection` may tolerate. */
function isMiss({ verdict, detectability, detected, level }: Finding): boolean {
  const counts = verdict === 'held' || verdict === 'violated';
  return counts && detected === false && detectability !== 'none' && level !== 'CONTROL';
}

/** `--fail-on` names it, by its level, obligation, outcome or a flag of it. */
export function isAskedFor(finding: Finding, { failOn = [] }: PolicyOptions): boolean {
  return failOn.some((name) => {
    if (name === 'undetermined') return finding.verdict === 'undetermined';
    if (finding.verdict === 'moot') return false;
    if (finding.outcome === name || finding.flags.includes(name as Flag)) return true;
    return finding.verdict === 'violated' && (finding.level === name || finding.obligation === name);
  });
}

function matches(entry: ExpectedFailure, finding: Finding): boolean {
  return (
    entry.obligation === finding.obligation &&
    (entry.fault ?? finding.fault) === finding.fault &&
    (entry.tool ?? finding.request?.tool) === finding.request?.tool &&
    (entry.scope ?? finding.scope) === finding.scope &&
    (entry.outcome ?? finding.outcome) === finding.outcome
  );
}

/** Everything that `--fail-on` understands. */
export const failOnNames: readonly string[] = [
  ...levelsStrictFirst,
  ...obligations.map(({ slug }) => slug),
  ...outcomesWorstFirst,
  ...flagOrder,
];

/** Numbers of the signals that end processes, for `128 + n`. */
const signalNumbers: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGBUS: 7,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGUSR2: 12,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};

/** The child's own code, as a shell would give it; 0 where there was no child. */
function suiteCode({ suite }: Pick<Report, 'suite'>): number {
  if (suite.code !== null) return suite.code;
  return suite.signal === null ? 0 : 128 + (signalNumbers[suite.signal] ?? 0);
}
