/** Runs as a sweep writes them down, literal and drawn. */
import * as fc from 'fast-check';
import { addCells } from '../../src/sweep/distil.ts';
import type { Cell, RunEndedRecord, Shard, SweepPart, SweepStarted } from '../../src/sweep/record.ts';
import { seedsOf } from '../../src/sweep/shard.ts';
import type { Finding, Outcome } from '../../src/watcher/report.ts';
import { finding } from '../watcher/finding.ts';

export function started(over: Partial<SweepStarted> = {}): SweepStarted {
  return {
    kind: 'sweep-started',
    format: 1,
    version: '0.1.0',
    profile: 'desync',
    profileDigest: '0123456789abcdef',
    contract: 'monotonic:stream',
    faults: ['regress-cursor', 'skip-events', 'drop-stream', 'wrap-ids'],
    command: ['npm', 'test'],
    flags: ['--client-timeout', '3000'],
    seeds: { from: 1, count: 12 },
    shard: { index: 1, count: 1 },
    policy: {},
    ...over,
  };
}

export function cell(over: Partial<Cell> = {}): Cell {
  return {
    fault: 'regress-cursor',
    seam: 'resume',
    channel: 'POST',
    revision: '2025-11-25',
    armed: 1,
    applied: 1,
    detected: 0,
    detectable: 1,
    falseAlarms: 0,
    controls: 0,
    ...over,
  };
}

export function ran(seed: number, over: Partial<RunEndedRecord> = {}): RunEndedRecord {
  return {
    kind: 'run-ended',
    seed,
    exitCode: 0,
    void: false,
    durationMs: 1200,
    suite: { code: 0, signal: null, durationMs: 1000 },
    requests: 9,
    decisionsDigest: `digest-${seed}`,
    coverage: {
      detection: { detected: 1, total: 1 },
      falseAlarms: { count: 0, total: 0 },
      faults: { armed: 1, applied: 1 },
    },
    outcomes: { recovered: 1 },
    cells: [cell({ detected: 1 })],
    findings: [],
    notes: [],
    ...over,
  };
}

/** A run with one miss. */
export function failed(seed: number, over: Partial<Finding> = {}): RunEndedRecord {
  return ran(seed, {
    exitCode: 1,
    coverage: {
      detection: { detected: 0, total: 1 },
      falseAlarms: { count: 0, total: 0 },
      faults: { armed: 1, applied: 1 },
    },
    outcomes: { [over.outcome ?? 'timed-out']: 1 },
    cells: [cell()],
    findings: [
      finding({ reproduce: `mcp-chaos --profile desync --seed ${seed} --only d1 -- npm test`, ...over }),
    ],
  });
}

export function part(runs: readonly RunEndedRecord[], over: Partial<SweepPart> = {}): SweepPart {
  return {
    started: started({ seeds: { from: 1, count: Math.max(1, ...runs.map(({ seed }) => seed)) } }),
    control: { kind: 'control-ended', exitCode: 0, durationMs: 1500, requests: 9 },
    runs,
    ended: { kind: 'sweep-ended', reason: 'complete', durationMs: 20_000 },
    durationMs: 20_000,
    ...over,
  };
}

/** The same runs as so many shards. */
export function split(runs: readonly RunEndedRecord[], count: number): readonly SweepPart[] {
  const range = { from: 1, count: runs.length };
  return Array.from({ length: count }, (_, at): SweepPart => {
    const shard: Shard = { index: at + 1, count };
    const own = seedsOf(range, shard);
    return part(
      runs.filter(({ seed }) => own.includes(seed)),
      { started: started({ seeds: range, shard }) },
    );
  });
}

const outcomes: readonly Outcome[] = ['recovered', 'timed-out', 'accepted', 'undetermined', 'hung'];

/** Findings of few kinds, so that seeds share them. */
const drawnFinding: fc.Arbitrary<Finding> = fc
  .record({
    fault: fc.constantFrom('regress-cursor', 'skip-events'),
    outcome: fc.constantFrom(...outcomes),
    tool: fc.constantFrom('count', 'charge'),
    scope: fc.constantFrom('main', 'orders.test.ts'),
    level: fc.constantFrom('CONTRACT' as const, 'ADVICE' as const),
    latencyMs: fc.nat(5000),
  })
  .map(({ tool, outcome, ...rest }) =>
    finding({
      ...rest,
      outcome,
      verdict: outcome === 'undetermined' ? 'undetermined' : 'violated',
      detected: outcome === 'undetermined' ? null : false,
      countsFor: outcome === 'undetermined' ? null : 'detection',
      request: { id: 1, method: 'tools/call', tool, exchange: 3 },
    }),
  );

const drawnCell: fc.Arbitrary<Cell> = fc
  .record({
    fault: fc.constantFrom('regress-cursor', 'skip-events', 'drop-stream'),
    seam: fc.constantFrom('resume' as const, 'frame' as const, null),
    channel: fc.constantFrom('POST' as const, 'GET' as const),
    revision: fc.constantFrom('2025-06-18', '2025-11-25', null),
    armed: fc.integer({ min: 1, max: 5 }),
    applied: fc.nat(5),
    detected: fc.nat(3),
    detectable: fc.nat(5),
    falseAlarms: fc.nat(2),
    controls: fc.nat(4),
  })
  .map((drawn) => cell(drawn));

/** Seeds 1 to n. */
export const drawnRuns: fc.Arbitrary<readonly RunEndedRecord[]> = fc
  .array(
    fc.record({
      findings: fc.array(drawnFinding, { maxLength: 4 }),
      cells: fc.array(drawnCell, { maxLength: 4 }).map(addCells),
      void: fc.boolean(),
      durationMs: fc.nat(9000),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((drawn) => drawn.map((over, at) => ran(at + 1, over)));
