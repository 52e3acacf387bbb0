/** A sweep as people and scripts read it: kept as golden files, in 80 columns, inert whatever the wire said. */
import { describe, expect, test } from 'vitest';
import { sweepReporters } from '../../src/report/sweep-reporters.ts';
import { fold } from '../../src/sweep/fold.ts';
import type { SweepReport } from '../../src/sweep/report.ts';
import { cell, failed, part, ran, split, started } from '../sweep/sample.ts';
import { finding } from '../watcher/finding.ts';
import { hostileText } from './sample.ts';

const render = (name: string, report: SweepReport): string =>
  sweepReporters.find((one) => one.name === name)!.render(report, { colour: false });
const golden = (name: string): string => new URL(`../golden/report/${name}`, import.meta.url).pathname;

const undecided = finding({
  fault: 'swallow-replay',
  obligation: 'notices-missing-replay',
  outcome: 'undetermined',
  verdict: 'undetermined',
  detected: null,
  countsFor: null,
  request: null,
});
const swept = fold([
  part([
    ran(1),
    failed(2),
    failed(3, { scope: 'orders.test.ts' }),
    failed(4, {
      fault: 'drop-stream',
      level: 'CONTROL',
      obligation: 'survives-controls',
      outcome: 'overreacted',
      countsFor: 'false-alarms',
      request: { id: 3, method: 'tools/call', tool: 'charge', exchange: 9 },
    }),
    ran(5, {
      findings: [undecided],
      cells: [
        cell({ fault: 'swallow-replay', channel: 'GET', applied: 0, detectable: 0 }),
        cell({ fault: 'drop-stream', seam: 'frame', controls: 1, detectable: 0, revision: null }),
      ],
    }),
    { ...ran(6), void: true, notes: ['void: an internal error in exchange: x'] },
  ]),
]);

test.each(['terminal', 'json'])('%s is as it was before', async (name) => {
  const { extension } = sweepReporters.find((one) => one.name === name)!;
  await expect(render(name, swept)).toMatchFileSnapshot(golden(`sweep.${name}.${extension}`));
});

describe('the summary', () => {
  test('has at most 80 columns, except for the lines that are for pasting', () => {
    const lines = render('terminal', swept).split('\n');
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  again'))).toEqual([]);
  });

  test('of hundreds of seeds and ways to fail is still a page', () => {
    const many = Array.from({ length: 300 }, (_, at) => failed(at + 1, { obligation: `duty-${at % 20}` }));
    const text = render('terminal', fold([part(many)]));
    expect(text.split('\n').length).toBeLessThan(110);
    expect(text).toContain('and 8 more ways to fail, in the json report');
    expect(text).toMatch(/ {2}seeds {2}15 of 300: (\d+, ){7}\d+ and 7 more/);
  });

  test('of a sweep that is void says why, and shows no numbers of nothing', () => {
    const control = {
      kind: 'control-ended' as const,
      exitCode: 1,
      durationMs: 900,
      requests: 0,
      failed: 'it fails by itself',
    };
    const text = render('terminal', fold([part([], { control, durationMs: 0 })]));
    expect(text).toContain('! it fails by itself');
    expect(text).toContain('exit 3: void');
    expect(text).not.toContain('detected');
  });

  test('says how many parts it was put together from', () => {
    expect(render('terminal', fold(split([ran(1), ran(2), ran(3)], 3)))).toContain('3 runs, 3 parts');
  });
});

test.each(['terminal', 'json'])('%s is inert, whatever the wire said', (name) => {
  const bad = failed(1, {
    fault: hostileText,
    obligation: hostileText,
    scope: hostileText,
    request: { id: hostileText, method: hostileText, tool: hostileText, exchange: 1 },
    message: { shown: hostileText, did: hostileText },
    reproduce: hostileText,
  });
  const cells = [cell({ fault: hostileText, revision: hostileText, seam: null })];
  const part1 = part([{ ...bad, cells, notes: [hostileText] }], {
    started: started({ profile: hostileText, faults: [hostileText], seeds: { from: 1, count: 1 } }),
  });
  const text = render(name, fold([part1]));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]|[\ud800-\udfff]/);
  if (name === 'json') expect(text).not.toMatch(/<\/script|]]>/);
});
