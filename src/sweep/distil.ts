/** From the report of one run to its line in a sweep: numbers, and whatever is not plainly well. */
import { isAskedFor, isFailure, isFalseAlarm, type PolicyOptions } from '../watcher/policy.ts';
import type { DecisionRow, Finding, Report } from '../watcher/report.ts';
import { addReactions } from './reactions.ts';
import type { Cell, RunEndedRecord } from './record.ts';

export function distil(
  report: Report,
  seed: number,
  durationMs: number,
  policy: PolicyOptions,
): RunEndedRecord {
  return {
    kind: 'run-ended',
    seed,
    exitCode: report.exitCode,
    void: report.void,
    durationMs,
    suite: report.suite,
    requests: report.traffic.requests,
    decisionsDigest: report.decisionsDigest,
    coverage: report.coverage,
    outcomes: addReactions(report.faults.map((row) => row.outcomes)),
    cells: cellsOf(report),
    findings: report.findings.filter((finding) => isListed(finding, policy)),
    notes: report.notes,
  };
}

/** A run that left no report: nothing is known of it but that it was. */
export function lostRun(seed: number, durationMs: number, why: string): RunEndedRecord {
  return {
    kind: 'run-ended',
    seed,
    exitCode: 70,
    void: true,
    durationMs,
    suite: { code: null, signal: null, durationMs: null },
    requests: 0,
    decisionsDigest: '',
    coverage: {
      detection: { detected: 0, total: 0 },
      falseAlarms: { count: 0, total: 0 },
      faults: { armed: 0, applied: 0 },
    },
    outcomes: {},
    cells: [],
    findings: [],
    notes: [why],
  };
}

function isListed(finding: Finding, policy: PolicyOptions): boolean {
  return (
    finding.verdict === 'violated' ||
    finding.verdict === 'undetermined' ||
    isFailure(finding) ||
    isAskedFor(finding, policy)
  );
}

function cellsOf({ decisions, findings }: Report): readonly Cell[] {
  return addCells(
    decisions.map((decision) =>
      cellOf(
        decision,
        findings.filter((finding) => finding.decision === decision.id),
      ),
    ),
  );
}

function cellOf({ fault, seam, channel, revision, applied }: DecisionRow, own: readonly Finding[]): Cell {
  const detectable = own.filter(({ countsFor }) => countsFor === 'detection');
  const controls = own.filter(({ countsFor }) => countsFor === 'false-alarms');
  return {
    fault,
    seam,
    channel,
    revision,
    armed: 1,
    applied: applied ? 1 : 0,
    detected: detectable.filter(({ detected }) => detected === true).length,
    detectable: detectable.length,
    falseAlarms: controls.filter(isFalseAlarm).length,
    controls: controls.length,
  };
}

/** One cell for each fault, seam, channel and revision; sorted by these. */
export function addCells(cells: Iterable<Cell>): readonly Cell[] {
  const sums = new Map<string, Cell>();
  for (const cell of cells) {
    const key = keyOf(cell);
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? cell : add(sum, cell));
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);
}

function keyOf({ fault, seam, channel, revision }: Cell): string {
  return [fault, seam ?? '', channel, revision ?? ''].join('\n');
}

function add(a: Cell, b: Cell): Cell {
  return {
    ...a,
    armed: a.armed + b.armed,
    applied: a.applied + b.applied,
    detected: a.detected + b.detected,
    detectable: a.detectable + b.detectable,
    falseAlarms: a.falseAlarms + b.falseAlarms,
    controls: a.controls + b.controls,
  };
}
