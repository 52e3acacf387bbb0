/** Fixed is said only where everything was applied and all is well. */
import { describe, expect, test } from 'vitest';
import { type Case, decisionsOf } from '../../src/cases/case.ts';
import { replayed } from '../../src/cases/replayed.ts';
import { distinctOf } from '../../src/sweep/distinct.ts';
import type { Finding, Report } from '../../src/watcher/report.ts';
import { broken } from '../report/sample.ts';
import { finding } from '../watcher/finding.ts';

const one: Case = {
  format: 1,
  finding: { ...distinctOf(finding()), level: 'CONTRACT', shown: '', did: '' },
  profile: 'desync',
  seed: '1',
  contract: 'monotonic:stream',
  ids: {},
  decisions: [
    { fault: 'drop-stream', site: 'a', params: {} },
    { fault: 'regress-cursor', site: 'b', params: {} },
  ],
  shows: { times: 3, runs: 3 },
  shrunk: { from: 8, runs: 20 },
  command: ['npm', 'test'],
  flags: [],
  version: '0.1.0',
};
const [drop, regress] = decisionsOf(one).map(({ id }) => id) as [string, string];

function report(
  findings: readonly Finding[],
  applied: readonly string[] = [drop, regress],
  over: Partial<Report> = {},
): Report {
  return {
    ...broken,
    void: false,
    findings,
    decisions: decisionsOf(one).map(({ id, fault, site, params }) => ({
      id,
      fault,
      site,
      params,
      seam: 'resume',
      channel: 'POST',
      revision: null,
      applied: applied.includes(id),
    })),
    ...over,
  };
}

const survived = finding({
  decision: drop,
  fault: 'drop-stream',
  outcome: 'recovered',
  detected: true,
  verdict: 'held',
});
const noticed = finding({ decision: regress, outcome: 'reset', detected: true, verdict: 'held' });

test('the recorded finding, under whatever seed, scope and time, is still failing', () => {
  const again = finding({ decision: regress, scope: 'other', latencyMs: 9 });
  expect(replayed(one, report([survived, again]))).toEqual({ verdict: 'still-failing', finding: again });
});

test('another failure of the same decisions is no praise', () => {
  const other = finding({ decision: regress, outcome: 'hung' });
  expect(replayed(one, report([survived, other]))).toEqual({ verdict: 'fails-differently', finding: other });
});

test('another failure that has nothing to do with it is none of its business', () => {
  const elsewhere = finding({ decision: 'x', fault: 'skip-events', outcome: 'hung' });
  expect(replayed(one, report([survived, noticed, elsewhere]))).toEqual({ verdict: 'fixed' });
});

describe('fixed', () => {
  test('where all were applied and all is well', () => {
    expect(replayed(one, report([survived, noticed]))).toEqual({ verdict: 'fixed' });
  });

  test('also where the client answered the first sign of a fault, before it had done all', () => {
    expect(replayed(one, report([survived, noticed], [drop]))).toEqual({ verdict: 'fixed' });
  });
});

test('a decision that found no place is named', () => {
  expect(replayed(one, report([survived], [drop]))).toEqual({
    verdict: 'unreachable',
    missing: ['regress-cursor at b'],
  });
});

test('what the evidence does not decide is not decided', () => {
  const open = finding({
    decision: regress,
    outcome: 'undetermined',
    verdict: 'undetermined',
    detected: null,
    message: { shown: '', did: 'undetermined: the run ended first.' },
  });
  expect(replayed(one, report([survived, open]))).toEqual({
    verdict: 'undecided',
    why: 'undetermined: the run ended first.',
  });
  expect(replayed(one, report([], [], { void: true, notes: ['void: an error of ours'] }))).toEqual({
    verdict: 'undecided',
    why: 'void: an error of ours',
  });
});
