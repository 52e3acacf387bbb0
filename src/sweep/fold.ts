/**
 * Parts → the report of the sweep. A fold over what ended, in the order of seeds: jobs, shards, and the order
 * in which runs came to their end leave no trace in coverage and findings.
 */
import { ChaosError } from '../errors.ts';
import { failuresOf } from '../watcher/policy.ts';
import type { Finding, Report } from '../watcher/report.ts';
import { addCells } from './distil.ts';
import { distinctId, distinctOf } from './distinct.ts';
import { groups } from './groups.ts';
import { addReactions } from './reactions.ts';
import type { RunEndedRecord, SweepPart, SweepStarted } from './record.ts';
import type { SweepReport, SweepRun } from './report.ts';
import { refuseOther, refuseTwice } from './same-sweep.ts';
import { seedsOf } from './shard.ts';

/** @throws ChaosError `usage` where the parts are not of one sweep, or hold a seed twice. */
export function fold(parts: readonly SweepPart[]): SweepReport {
  const [first] = parts;
  if (first === undefined) throw new ChaosError('usage', 'there is no sweep to put together');
  for (const other of parts.slice(1)) refuseOther(first.started, other.started);
  const sorted = [...parts].sort(
    (a, b) => a.started.seeds.from - b.started.seeds.from || a.started.shard.index - b.started.shard.index,
  );
  const runs = sorted.flatMap((part) => part.runs).sort((a, b) => a.seed - b.seed);
  refuseTwice(runs);
  const { version, profile, profileDigest, contract, command, flags } = first.started;
  const valid = runs.filter((run) => !run.void);
  const coverage = coverageOf(first.started, valid);
  const verdict = judge(first.started, valid, coverage);
  const findings = groups(valid, verdict.failing);
  const planned = sorted.flatMap(({ started }) => seedsOf(started.seeds, started.shard));
  const failedControls = sorted.flatMap(({ control }) => control?.failed ?? []);
  const isVoid = failedControls.length > 0 || valid.length < runs.length;
  return {
    schemaVersion: 1,
    kind: 'sweep',
    version,
    profile,
    profileDigest,
    contract,
    command,
    flags,
    exitCode: exitCodeOf(sorted, runs, isVoid, verdict.fails, coverage),
    void: isVoid,
    notes: [...new Set([...failedControls, ...notesOn(sorted, runs, planned.length), ...verdict.notes])],
    seeds: {
      planned: planned.length,
      finished: runs.length,
      from: Math.min(...sorted.map(({ started }) => started.seeds.from)),
      to: Math.max(...sorted.map(({ started }) => started.seeds.from + started.seeds.count - 1)),
    },
    parts: sorted.map(({ started, runs: own, control, ended, durationMs }) => ({
      shard: started.shard,
      finished: own.length,
      control: control ?? null,
      ended: ended?.reason ?? null,
      durationMs,
    })),
    coverage,
    outcomes: addReactions(valid.map((run) => run.outcomes)),
    findings,
    runs: runs.map(runRow),
  };
}

function coverageOf({ faults }: SweepStarted, runs: readonly RunEndedRecord[]): SweepReport['coverage'] {
  const sum = (value: (coverage: Report['coverage']) => number): number =>
    runs.reduce((total, { coverage }) => total + value(coverage), 0);
  const cells = addCells(runs.flatMap((run) => run.cells));
  return {
    detection: {
      detected: sum(({ detection }) => detection.detected),
      total: sum(({ detection }) => detection.total),
    },
    falseAlarms: {
      count: sum(({ falseAlarms }) => falseAlarms.count),
      total: sum(({ falseAlarms }) => falseAlarms.total),
    },
    faults: { armed: sum((one) => one.faults.armed), applied: sum((one) => one.faults.applied) },
    cells,
    idle: faults.filter((fault) => !cells.some((cell) => cell.fault === fault)),
  };
}

interface SweepVerdict {
  readonly failing: ReadonlySet<Finding>;
  readonly fails: boolean;
  readonly notes: readonly string[];
}

/** The policy of a run, over all of them: a ratio is that of the sweep, and a known failure may be any seed's. */
function judge(
  { policy, faults }: SweepStarted,
  runs: readonly RunEndedRecord[],
  coverage: SweepReport['coverage'],
): SweepVerdict {
  const worst = runs.find(({ suite }) => suite.code !== 0)?.suite;
  const { findings, stale, detection, suite } = failuresOf(
    {
      findings: runs.flatMap((run) => run.findings),
      coverage,
      suite: worst ?? { code: null, signal: null, durationMs: null },
    },
    policy,
  );
  // Nothing was injected: the suite's own failures are all there is to see.
  const calm = faults.length === 0 && runs.some(({ exitCode }) => exitCode !== 0);
  return {
    failing: new Set(findings),
    fails: findings.length > 0 || stale.length > 0 || detection !== undefined || suite || calm,
    notes: [
      ...stale.map(
        (entry) =>
          `expected to fail and did not, under any seed: ${Object.entries(entry)
            .map((pair) => pair.join(' '))
            .join(', ')}`,
      ),
      ...(detection === undefined
        ? []
        : [
            `${(detection * 100).toFixed(1)} % of the detectable desyncs were detected, and --min-detection asks for ${(policy.minDetection! * 100).toFixed(1)} %`,
          ]),
      ...(suite ? ['the command failed under some seed, and --suite-exit counts that'] : []),
    ],
  };
}

function exitCodeOf(
  parts: readonly SweepPart[],
  runs: readonly RunEndedRecord[],
  isVoid: boolean,
  fails: boolean,
  { faults, detection }: SweepReport['coverage'],
): number {
  for (const code of [70, 64]) {
    if (parts.some(({ control }) => control?.failed !== undefined && control.exitCode === code)) return code;
  }
  if (parts.some(({ ended }) => ended?.reason === 'interrupted')) return 130;
  if (isVoid || !isWhole(parts)) return 3;
  if (fails) return 1;
  const calm = parts.every(({ started }) => started.faults.length === 0);
  if (runs.length === 0) return 2;
  return !calm && faults.applied === 0 && detection.total === 0 ? 2 : 0;
}

/** A part that was killed, or never came, says nothing of its seeds: to pass without it would be luck. */
function isWhole(parts: readonly SweepPart[]): boolean {
  return parts.every(({ ended }) => ended !== undefined) && missingShards(parts).length === 0;
}

function notesOn(
  parts: readonly SweepPart[],
  runs: readonly RunEndedRecord[],
  planned: number,
): readonly string[] {
  const notes: string[] = [];
  for (const { seed, notes: why } of runs.filter((run) => run.void)) {
    notes.push(`seed ${seed} is void and counts for nothing: ${why[0] ?? 'no reason is known'}`);
  }
  const reasons = new Set(parts.map(({ ended }) => ended?.reason));
  for (const { started, ended } of parts) {
    if (ended === undefined)
      notes.push(
        `${parts.length > 1 ? `shard ${started.shard.index} of ${started.shard.count}` : 'the sweep'} did not come to its end: go on with it by --resume`,
      );
  }
  if (runs.length < planned) {
    const why = reasons.has('first-failure')
      ? ' (--stop-on first)'
      : reasons.has('max-time')
        ? ' (--max-time)'
        : '';
    notes.push(`${runs.length} of ${planned} seeds have run${why}`);
  }
  for (const { index, count } of missingShards(parts)) notes.push(`shard ${index} of ${count} is missing`);
  const loose = runs.filter((run) => run.notes.some((note) => note.includes('does not promise'))).length;
  if (loose > 0)
    notes.push(`${loose} of ${runs.length} runs do not promise the same decisions for the same seed`);
  return notes;
}

function missingShards(parts: readonly SweepPart[]): readonly { index: number; count: number }[] {
  const counts = new Set(parts.map(({ started }) => started.shard.count));
  return [...counts].flatMap((count) => {
    const there = parts
      .filter(({ started }) => started.shard.count === count)
      .map(({ started }) => started.shard.index);
    return Array.from({ length: count }, (_, at) => at + 1)
      .filter((index) => !there.includes(index))
      .map((index) => ({ index, count }));
  });
}

function runRow(run: RunEndedRecord): SweepRun {
  const { seed, exitCode, durationMs, suite, requests, decisionsDigest, coverage, outcomes, notes } = run;
  return {
    seed,
    exitCode,
    void: run.void,
    durationMs,
    suite,
    requests,
    decisionsDigest,
    coverage,
    outcomes,
    notes,
    findings: run.void ? [] : [...new Set(run.findings.map((one) => distinctId(distinctOf(one))))],
  };
}
