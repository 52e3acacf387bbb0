/** A sweep's file comes back as it was written, also where the writer was killed in the middle of a line. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSweep, encodeLine } from '../../src/sweep/log.ts';
import type { SweepLine } from '../../src/sweep/record.ts';
import { drawnRuns, failed, ran, started } from './sample.ts';

const control = { kind: 'control-ended', exitCode: 0, durationMs: 5, requests: 2 } as const;
const text = (lines: readonly SweepLine[]): string => lines.map(encodeLine).join('');

test('comes back as it was written', () => {
  fc.assert(
    fc.property(drawnRuns, (runs) => {
      const ended = { kind: 'sweep-ended', reason: 'complete', durationMs: 7 } as const;
      expect(decodeSweep(text([started(), control, ...runs, ended]), 'f')).toEqual({
        started: started(),
        control,
        runs,
        ended,
        durationMs: 7,
      });
    }),
  );
});

test('cut anywhere after the header it holds exactly the runs whose line is whole', () => {
  const runs = [ran(1), failed(2), ran(3)];
  const head = text([started(), control]);
  const whole = head + text(runs);
  for (let cut = head.length; cut <= whole.length; cut += 1) {
    const kept = decodeSweep(whole.slice(0, cut), 'f').runs.map(({ seed }) => seed);
    const complete = whole.slice(0, cut).split('\n').length - 1 - 2;
    // A line that lacks nothing but its line end is whole.
    expect(kept.length - complete === 0 || whole[cut] === '\n').toBe(true);
    expect(kept).toEqual([1, 2, 3].slice(0, kept.length));
  }
});

test('a sweep that went on after its end is not at its end', () => {
  const interrupted = { kind: 'sweep-ended', reason: 'interrupted', durationMs: 5 } as const;
  const lines: SweepLine[] = [started(), control, ran(1), interrupted, ran(2)];
  expect(decodeSweep(text(lines), 'f')).toMatchObject({ ended: undefined, durationMs: 5 });
  const complete = { kind: 'sweep-ended', reason: 'complete', durationMs: 6 } as const;
  expect(decodeSweep(text([...lines, complete]), 'f')).toMatchObject({ ended: complete, durationMs: 11 });
});

test('a seed that ended twice counts once', () => {
  expect(decodeSweep(text([started(), control, ran(1), failed(1)]), 'f').runs).toEqual([ran(1)]);
});

test('what jobs ran ahead of the first failure does not count', () => {
  const ended = { kind: 'sweep-ended', reason: 'first-failure', durationMs: 5 } as const;
  const lines = [started(), control, failed(5), ran(1), failed(3), ran(2), ran(4), ended];
  expect(decodeSweep(text(lines), 'f').runs.map(({ seed }) => seed)).toEqual([1, 3, 2]);
});

describe('what is no sweep', () => {
  test.each([
    ['', 'it is empty'],
    ['{"kind":"run-started","format":1}\n', 'its first line is not the header'],
    [`${encodeLine(started())}garbage\n${encodeLine(ran(1))}`, 'line 2 is not JSON'],
    [encodeLine({ ...started(), format: 2 as unknown as 1 }), 'its first line is not the header'],
  ])('%j is refused by name', (content, message) => {
    expect(() => decodeSweep(content, 'x.ndjson')).toThrow(message);
    expect(() => decodeSweep(content, 'x.ndjson')).toThrow('x.ndjson is no sweep');
  });
});
