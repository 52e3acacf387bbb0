/** The same stored journals in every format of text: what a reader of each is told must not drift apart unseen. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { stepSummary } from '../../src/report/github.ts';
import { reporters } from '../../src/report/index.ts';
import { judgeJournal } from '../../src/runner/judge-journal.ts';

const folder = fileURLToPath(new URL('../journals/', import.meta.url));
const journals = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
const golden = (name: string): string => fileURLToPath(new URL(`../golden/report/${name}`, import.meta.url));

test('there are journals, and they hold whole runs', () => {
  expect(journals.length).toBeGreaterThanOrEqual(2);
  for (const name of journals)
    expect(readFileSync(`${folder}${name}`, 'utf8')).toContain('"kind":"run-ended"');
});

describe.each(journals)('%s', (name) => {
  const report = judgeJournal(`${folder}${name}`);
  const base = name.replace(/\.ndjson$/, '');

  test.each(
    reporters
      .filter((reporter) => reporter.name !== 'html')
      .map((reporter) => [reporter.name, reporter] as const),
  )('%s', async (_name, { name: format, extension, render }) => {
    await expect(render(report, { colour: false })).toMatchFileSnapshot(
      golden(`${base}.${format}.${extension}`),
    );
  });

  test('step summary', async () => {
    await expect(stepSummary(report)).toMatchFileSnapshot(golden(`${base}.summary.md`));
  });
});
