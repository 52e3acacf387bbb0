/** A sweep's report is a fold over its runs: jobs, shards and order leave no trace in it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChaosError } from '../../src/errors.ts';
import { fold } from '../../src/sweep/fold.ts';
import type { SweepReport } from '../../src/sweep/report.ts';
import { finding } from '../watcher/finding.ts';
import { cell, drawnRuns, failed, part, ran, split, started } from './sample.ts';

/** What must be the same however the seeds were shared out. */
function result({ parts: _, ...rest }: SweepReport): Omit<SweepReport, 'parts'> {
  return rest;
}

describe('jobs and shards', () => {
  test('the order in which runs end is of no account', () => {
    fc.assert(
      fc.property(
        drawnRuns.chain((runs) =>
          fc.tuple(fc.constant(runs), fc.shuffledSubarray([...runs], { minLength: runs.length })),
        ),
        ([runs, shuffled]) => {
          expect(fold([part(shuffled)])).toEqual(fold([part(runs)]));
        },
      ),
    );
  });

  test('any number of shards, put together in any order, is the sweep of one process', () => {
    fc.assert(
      fc.property(drawnRuns, fc.integer({ min: 1, max: 6 }), fc.boolean(), (runs, count, reverse) => {
        const whole = { ...part(runs), started: started({ seeds: { from: 1, count: runs.length } }) };
        const shards = split(runs, count);
        expect(result(fold(reverse ? [...shards].reverse() : shards))).toEqual(result(fold([whole])));
      }),
    );
  });

  test('coverage is the sum of the cells, which are one for each fault, seam, channel and revision', () => {
    fc.assert(
      fc.property(drawnRuns, (runs) => {
        const { coverage } = fold([part(runs)]);
        const valid = runs.filter((run) => !run.void).flatMap(({ cells }) => cells);
        const sum = (cells: typeof valid): number => cells.reduce((total, { applied }) => total + applied, 0);
        expect(sum([...coverage.cells])).toBe(sum(valid));
        const keys = coverage.cells.map(({ fault, seam, channel, revision }) =>
          JSON.stringify([fault, seam, channel, revision]),
        );
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

describe('findings', () => {
  test('are one line each, with the seeds that show it and the lowest as the example', () => {
    const report = fold([
      part([
        failed(4),
        ran(1),
        failed(2, { scope: 'orders.test.ts' }),
        failed(3, { outcome: 'accepted', level: 'MUST' }),
      ]),
    ]);
    expect(
      report.findings.map(({ outcome, seeds, count, fails, scopes }) => ({
        outcome,
        seeds,
        count,
        fails,
        scopes,
      })),
    ).toEqual([
      { outcome: 'accepted', seeds: [3], count: 1, fails: true, scopes: ['main'] },
      { outcome: 'timed-out', seeds: [2, 4], count: 2, fails: true, scopes: ['main', 'orders.test.ts'] },
    ]);
    expect(report.findings[1]!.example.reproduce).toContain('--seed 2 ');
    expect(report.runs.map(({ seed, findings }) => [seed, findings.length])).toEqual([
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
    expect(report.exitCode).toBe(1);
  });

  test('that are undecided are listed and fail nothing, unless it was asked for', () => {
    const undecided = ran(1, {
      findings: [
        finding({ outcome: 'undetermined', verdict: 'undetermined', detected: null, countsFor: null }),
      ],
    });
    expect(fold([part([undecided])])).toMatchObject({ exitCode: 0, findings: [{ fails: false }] });
    const asked = {
      started: started({ seeds: { from: 1, count: 1 }, policy: { failOn: ['undetermined'] } }),
    };
    expect(fold([part([undecided], asked)])).toMatchObject({ exitCode: 1, findings: [{ fails: true }] });
  });
});

describe('the exit code', () => {
  const policy = (of: ReturnType<typeof started>['policy'], runs = [ran(1), failed(2)]) =>
    fold([part(runs, { started: started({ seeds: { from: 1, count: runs.length }, policy: of }) })]);

  test('3 where the control fails: there is nothing to compare with', () => {
    const control = {
      kind: 'control-ended' as const,
      exitCode: 1,
      durationMs: 900,
      requests: 3,
      failed: 'it fails by itself',
    };
    const report = fold([part([], { control })]);
    expect(report).toMatchObject({ exitCode: 3, void: true });
    expect(report.notes).toContain('it fails by itself');
  });

  test('3 where a run is void: it counts for nothing and is named', () => {
    const report = fold([part([ran(1), { ...failed(2), void: true, notes: ['void: an internal error'] }])]);
    expect(report).toMatchObject({ exitCode: 3, findings: [], coverage: { detection: { total: 1 } } });
    expect(report.notes.join('\n')).toContain('seed 2 is void');
  });

  test('2 where no seed reached anything', () => {
    const idle = ran(1, {
      coverage: {
        detection: { detected: 0, total: 0 },
        falseAlarms: { count: 0, total: 0 },
        faults: { armed: 0, applied: 0 },
      },
      cells: [],
    });
    expect(fold([part([idle])])).toMatchObject({ exitCode: 2, coverage: { idle: started().faults } });
    expect(fold([part([idle, ran(2)])]).exitCode).toBe(0);
  });

  test('130 where it was interrupted, whatever it had found', () => {
    const ended = { kind: 'sweep-ended' as const, reason: 'interrupted' as const, durationMs: 5 };
    const report = fold([part([failed(1)], { ended, started: started({ seeds: { from: 1, count: 9 } }) })]);
    expect(report.exitCode).toBe(130);
    expect(report.notes.join('\n')).toContain('1 of 9 seeds have run');
  });

  test('64 and 70 where the control could not be carried out', () => {
    for (const exitCode of [64, 70]) {
      const control = { kind: 'control-ended' as const, exitCode, durationMs: 9, requests: 0, failed: 'x' };
      expect(fold([part([], { control })]).exitCode).toBe(exitCode);
    }
  });

  test('of --min-detection is that of the whole sweep', () => {
    expect(policy({ minDetection: 0.5 }).exitCode).toBe(0);
    const report = policy({ minDetection: 0.6 });
    expect(report.exitCode).toBe(1);
    expect(report.notes.join('\n')).toContain('50.0 % of the detectable desyncs');
  });

  test('of --expected: a known failure may be any seed’s, and one that no seed shows is stale', () => {
    const known = { obligation: 'validates-resumed-cursor', fault: 'regress-cursor' };
    expect(policy({ expected: [known] }).exitCode).toBe(0);
    const report = policy({ expected: [known, { obligation: 'keeps-cursor' }] });
    expect(report.exitCode).toBe(1);
    expect(report.notes.join('\n')).toContain('under any seed: obligation keeps-cursor');
  });

  test('under a profile without rules: the command’s own failure', () => {
    const calm = started({ faults: [], seeds: { from: 1, count: 2 } });
    const idle = {
      coverage: {
        detection: { detected: 0, total: 0 },
        falseAlarms: { count: 0, total: 0 },
        faults: { armed: 0, applied: 0 },
      },
    };
    expect(fold([part([ran(1, idle), ran(2, idle)], { started: calm })]).exitCode).toBe(0);
    expect(fold([part([ran(1, idle), ran(2, { ...idle, exitCode: 7 })], { started: calm })]).exitCode).toBe(
      1,
    );
  });
});

describe('parts that are not of one sweep', () => {
  const refusal = (over: Parameters<typeof started>[0], seed = 2): string => {
    try {
      fold([
        part([ran(1)], { started: started({ shard: { index: 1, count: 2 } }) }),
        part([ran(seed)], { started: started({ shard: { index: 2, count: 2 }, ...over }) }),
      ]);
    } catch (error) {
      expect(error).toBeInstanceOf(ChaosError);
      return (error as ChaosError).message;
    }
    return 'no refusal';
  };

  test('are refused, and told apart', () => {
    expect(refusal({})).toBe('no refusal');
    expect(refusal({ profile: 'reconnect' })).toContain('the profile differs, "desync" and "reconnect"');
    expect(refusal({ profileDigest: 'other' })).toContain('what the profile desync says differs');
    expect(refusal({ version: '0.2.0' })).toContain('version of mcp-chaos differs');
    expect(refusal({ command: ['npm', 'run', 'other'] })).toContain('command differs');
    expect(refusal({ flags: [] })).toContain('flags differ');
    expect(refusal({ policy: { suiteExit: true } })).toContain('judging differs');
  });

  test('a seed in two files would count twice', () => {
    expect(refusal({}, 1)).toContain('seed 1 is in two of the files');
  });

  test('a shard that is missing is said to be', () => {
    const shards = split([ran(1), ran(2), ran(3), ran(4)], 4);
    const report = fold([shards[0]!, shards[2]!]);
    expect(report.notes).toEqual(['shard 2 of 4 is missing', 'shard 4 of 4 is missing']);
    expect(report.exitCode).toBe(3);
  });

  test('a part that was killed is no pass', () => {
    const report = fold([part([ran(1)], { ended: undefined })]);
    expect(report.notes).toEqual(['the sweep did not come to its end: go on with it by --resume']);
    expect(report.exitCode).toBe(3);
    expect(report.void).toBe(false);
  });
});

test('faults of one kind that differ in their seam are cells of their own', () => {
  const run = ran(1, { cells: [cell({ seam: 'frame' }), cell({ seam: 'resume' })] });
  const { cells } = fold([part([run, ran(2, { cells: [cell({ seam: 'resume', detected: 1 })] })])]).coverage;
  expect(cells.map(({ seam, armed, detected }) => ({ seam, armed, detected }))).toEqual([
    { seam: 'frame', armed: 1, detected: 0 },
    { seam: 'resume', armed: 2, detected: 1 },
  ]);
});
