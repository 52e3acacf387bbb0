import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Fact } from '../../src/history/fact.ts';
import type { SweepData } from '../../src/report/page-data.ts';
import type { Drawing } from '../../src/report/reporter.ts';
import { sweepHtml } from '../../src/report/sweep-html.ts';
import { fold } from '../../src/sweep/fold.ts';
import type { SweepReport } from '../../src/sweep/report.ts';
import { failed, part, ran } from '../sweep/sample.ts';

const report = fold([part([ran(1), failed(2), failed(3, { fault: 'skip-events' }), ran(4), failed(5)])]);

function render(of: SweepReport, history: Drawing['history'] = () => []): string {
  const drawing = (): Drawing => ({
    history,
    script: 'x()',
    style: 'b{}',
    compress: (text) => gzipSync(text),
  });
  return sweepHtml.render(of, { colour: false, drawing });
}

function blobs(page: string): ReadonlyMap<string, unknown> {
  const found = page.matchAll(/<script type="application\/gzip" id="([\w-]+)">([A-Za-z0-9+/=]*)<\/script>/g);
  return new Map(
    [...found].map(([, id, text]) => [
      id!,
      JSON.parse(gunzipSync(Buffer.from(text!, 'base64')).toString('utf8')),
    ]),
  );
}

describe('the page of a sweep', () => {
  test('holds the report, the clauses and what it means', () => {
    const data = blobs(render(report)).get('sweep') as SweepData;
    expect(data.sweep).toEqual(JSON.parse(JSON.stringify(report)));
    expect(data.meaning).toBe('2 ways to fail');
    expect(Object.keys(data.faults).sort()).toEqual(['regress-cursor', 'skip-events']);
    expect(data.clauses['validates-resumed-cursor']!.clause).not.toBe('');
  });

  test('holds the history of the lowest seed of each finding, once, where there is one', () => {
    const fact = (seed: number): readonly Fact[] => [{ kind: 'child-started', seq: seed, at: 0 }];
    const asked: (number | undefined)[] = [];
    const page = render(report, (seed) => {
      asked.push(seed);
      return seed === 2 ? fact(2) : [];
    });
    expect(asked.sort()).toEqual([2, 3]);
    const found = blobs(page);
    expect([...found.keys()]).toEqual(['sweep', 'history-2']);
    expect((found.get('sweep') as SweepData).drawn).toEqual([2]);
  });

  test('stays a page when there are many findings', () => {
    const many = fold([part(Array.from({ length: 60 }, (_, n) => failed(n + 1, { fault: `fault-${n}` })))]);
    expect(many.findings).toHaveLength(60);
    const page = render(many, () => [{ kind: 'child-started', seq: 1, at: 0 }]);
    expect([...blobs(page).keys()]).toHaveLength(13);
  });

  test('hostile text in a finding adds no element', () => {
    const hostile = '</script><img src=x onerror=alert(1)>\u001b[31m';
    const tags = (page: string): number => [...page.matchAll(/<[a-z!]/gi)].length;
    const bad = fold([part([failed(2, { fault: hostile, scope: hostile }), ran(1)])]);
    const good = fold([part([failed(2), ran(1)])]);
    expect(tags(render(bad))).toBe(tags(render(good)));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
    expect(render(bad)).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});
