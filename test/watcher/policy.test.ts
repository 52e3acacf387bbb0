import { describe, expect, it } from 'vitest';
import { exitCode, failuresOf, isFailure } from '../../src/watcher/policy.ts';
import type { Finding, Report } from '../../src/watcher/report.ts';
import { calm } from '../report/sample.ts';
import { finding } from './finding.ts';

const noticed = finding({ outcome: 'reset', detected: true, verdict: 'held' });
/** Its own timeout is all the specification asks of it, and still nothing was noticed. */
const timedOut = finding({
  obligation: 'bounds-its-wait',
  level: 'SHOULD',
  verdict: 'held',
  detectability: 'inferable',
});
const falseAlarm = finding({
  obligation: 'survives-controls',
  level: 'CONTROL',
  outcome: 'overreacted',
  detected: null,
  countsFor: 'false-alarms',
});

function report(findings: readonly Finding[], over: Partial<Report> = {}): Report {
  const counted = findings.filter(({ detected, level }) => detected !== null && level !== 'CONTROL');
  const detection = {
    detected: counted.filter(({ detected }) => detected === true).length,
    total: counted.length,
  };
  return {
    ...calm,
    findings,
    faults: [
      { fault: 'regress-cursor', control: false, armed: 1, applied: 1, outcomes: {}, undetectable: 0 },
    ],
    coverage: { detection, falseAlarms: { count: 0, total: 0 }, faults: { armed: 1, applied: 1 } },
    ...over,
  };
}

describe('the exit code', () => {
  it.each<[string, readonly Finding[], number]>([
    ['0 where everything detectable was detected', [noticed], 0],
    ['1 where something was violated', [noticed, finding()], 1],
    ['1 where a call merely timed out, though its duty is held', [timedOut], 1],
    ['1 for a false alarm', [noticed, falseAlarm], 1],
    ['0 where nobody could have known', [noticed, finding({ detectability: 'none', verdict: 'moot' })], 0],
    [
      '0 where it is undecided',
      [noticed, finding({ verdict: 'undetermined', detected: null, outcome: 'undetermined' })],
      0,
    ],
  ])('is %s', (_title, findings, code) => {
    expect(exitCode(report(findings))).toBe(code);
  });

  it('is 3 for a void run, whatever was found', () => {
    expect(exitCode(report([noticed], { void: true }))).toBe(3);
  });

  it('is 2 where no fault was applied and nothing was judged', () => {
    const unexercised = {
      detection: { detected: 0, total: 0 },
      falseAlarms: { count: 0, total: 0 },
      faults: { armed: 1, applied: 0 },
    };
    expect(exitCode(report([], { coverage: unexercised }))).toBe(2);
  });
});

describe('--min-detection', () => {
  it('tolerates misses from its ratio on, and nothing else', () => {
    expect(exitCode(report([noticed, finding()]), { minDetection: 0.5 })).toBe(0);
    expect(exitCode(report([noticed, finding()]), { minDetection: 0.6 })).toBe(1);
    expect(exitCode(report([noticed, falseAlarm]), { minDetection: 0.5 })).toBe(1);
    expect(failuresOf(report([finding()]), { minDetection: 0.5 }).detection).toBe(0);
  });

  it('gives way to --fail-on', () => {
    expect(exitCode(report([noticed, finding()]), { minDetection: 0.5, failOn: ['CONTRACT'] })).toBe(1);
  });
});

describe('--expected', () => {
  const known = { obligation: 'validates-resumed-cursor', fault: 'regress-cursor' };

  it('excuses a known failure, and fails once it is gone', () => {
    expect(exitCode(report([noticed, finding()]), { expected: [known] })).toBe(0);
    expect(exitCode(report([noticed]), { expected: [known] })).toBe(1);
    expect(failuresOf(report([noticed]), { expected: [known] }).stale).toEqual([known]);
  });

  it('does not excuse another fault, outcome or scope', () => {
    for (const other of [{ fault: 'skip-events' }, { outcome: 'hung' as const }, { scope: 'elsewhere' }]) {
      expect(exitCode(report([finding()]), { expected: [{ ...known, ...other }] })).toBe(1);
    }
  });
});

it('--fail-on undetermined fails an undecided run', () => {
  const undecided = finding({ verdict: 'undetermined', detected: null, outcome: 'undetermined' });
  expect(exitCode(report([noticed, undecided]), { failOn: ['undetermined'] })).toBe(1);
});

it('advice alone is no failure where nothing went unnoticed', () => {
  expect(isFailure(finding({ level: 'ADVICE', detected: null, outcome: 'recovered' }))).toBe(false);
});
