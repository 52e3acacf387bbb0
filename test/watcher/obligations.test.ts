/** Every obligation, with histories in which it holds, is violated, and must be left alone. */
import { expect, describe as group, test } from 'vitest';
import { obligations } from '../../src/watcher/obligations/index.ts';
import { traits } from '../../src/watcher/occasion.ts';
import { stories } from './stories/index.ts';
import { describe } from './story.ts';

for (const { slug, holds, violates, alone } of stories) {
  group(slug, () => {
    for (const [name, tell] of Object.entries(holds)) {
      test(`holds: ${name}`, () => {
        const { findings } = tell().judge();
        const own = findings.filter((finding) => finding.obligation === slug);
        expect(
          own.map(({ verdict }) => verdict),
          describe(findings),
        ).toContain('held');
        expect(
          findings.filter(({ verdict }) => verdict === 'violated'),
          describe(findings),
        ).toEqual([]);
      });
    }
    for (const [name, tell] of Object.entries(violates)) {
      test(`violated: ${name}`, () => {
        const { findings } = tell().judge();
        const own = findings.filter((finding) => finding.obligation === slug);
        expect(
          own.map(({ verdict }) => verdict),
          describe(findings),
        ).toContain('violated');
      });
    }
    for (const [name, tell] of Object.entries(alone)) {
      test(`left alone: ${name}`, () => {
        const { findings } = tell().judge();
        const own = findings.filter((finding) => finding.obligation === slug);
        expect(
          own.filter(({ verdict }) => verdict === 'violated'),
          describe(findings),
        ).toEqual([]);
      });
    }
  });
}

group('the registry', () => {
  test('has stories for every obligation: held, violated, and left alone', () => {
    expect(stories.map(({ slug }) => slug).sort()).toEqual(obligations.map(({ slug }) => slug).sort());
    for (const { slug, holds, violates, alone } of stories) {
      expect(Object.keys(holds).length, slug).toBeGreaterThan(0);
      expect(Object.keys(violates).length, slug).toBeGreaterThan(0);
      expect(Object.keys(alone).length, slug).toBeGreaterThan(0);
    }
  });

  test('names an obligation for every kind of occasion, without conditions at last', () => {
    for (const kind of Object.keys(traits)) {
      const governing = obligations.filter(({ occasions }) =>
        (occasions as readonly string[]).includes(kind),
      );
      expect(governing.length, kind).toBeGreaterThan(0);
    }
  });

  test('cites a clause with its revisions, or says whose rule it is', () => {
    for (const { slug, level, source } of obligations) {
      expect(source.clause.length, slug).toBeGreaterThan(10);
      if (level === 'MUST' || level === 'SHOULD') expect(source.since, slug).toMatch(/^20\d\d-\d\d-\d\d$/);
      if (level === 'CONTRACT') expect(source.clause, slug).toMatch(/seed [12]/);
    }
  });
});
