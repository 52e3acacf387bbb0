import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { stepSummary } from '../../src/report/github.ts';
import { reporterNamed, reporters } from '../../src/report/index.ts';
import type { PageData } from '../../src/report/page-data.ts';
import type { Drawing } from '../../src/report/reporter.ts';
import type { Report } from '../../src/watcher/report.ts';
import { broken, calm, hostile, hostileText } from './sample.ts';

const drawing: () => Drawing = () => ({
  history: () => [],
  script: 'console.log("the page")',
  style: 'body{}',
  compress: (text) => gzipSync(text),
});
const render = (name: string, report: Report, colour = false): string =>
  reporterNamed(name)!.render(report, { colour, drawing });
/** Reporters whose text is kept; a page's is in its looks. */
const kept = reporters.filter(({ name }) => name !== 'html');
const golden = (name: string): string => new URL(`../golden/report/${name}`, import.meta.url).pathname;

describe.each(kept.map(({ name, extension }) => ({ name, extension })))('$name', ({ name, extension }) => {
  test('renders a run that went wrong as it did before', async () => {
    await expect(render(name, broken)).toMatchFileSnapshot(golden(`broken.${name}.${extension}`));
  });

  test('renders a calm run as it did before', async () => {
    await expect(render(name, calm)).toMatchFileSnapshot(golden(`calm.${name}.${extension}`));
  });
});

describe.each(reporters.map(({ name }) => ({ name })))('$name', ({ name }) => {
  test('gives the same text for the same report, whatever the order of its keys', () => {
    const reversed = JSON.parse(JSON.stringify(broken), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as Report;
    expect(render(name, reversed)).toBe(render(name, broken));
  });

  test('makes hostile strings inert', () => {
    const text = render(name, hostile);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]|[\ud800-\udfff]/);
    expect(text).not.toMatch(/^::error::/m);
    if (name !== 'terminal' && name !== 'github' && name !== 'html')
      expect(text).not.toMatch(/<\/script|]]>/);
  });
});

test('the step summary is as it was before, and a hostile one has neither HTML nor a broken table', async () => {
  await expect(stepSummary(broken)).toMatchFileSnapshot(golden('broken.summary.md'));
  const text = stepSummary(hostile);
  const outsideCode = text
    .split('\n')
    .filter((line) => !line.startsWith('      '))
    .map((line) => line.replace(/`[^`]*`/g, 'CODE'));
  for (const line of outsideCode) expect(line).not.toMatch(/[<>`]/);
  const rows = outsideCode.filter((line) => line.startsWith('|'));
  for (const row of rows) expect(row.split('|')).toHaveLength(14);
});

describe('terminal', () => {
  test('has at most 80 columns, except for the lines that are for pasting', () => {
    const lines = render('terminal', broken).split('\n');
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('  again'))).toEqual([]);
  });

  test('colour adds escape sequences and nothing else', () => {
    const coloured = render('terminal', broken, true);
    expect(coloured).toContain('\u001b[31m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the point.
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(render('terminal', broken));
  });

  test('each failure is what was shown, what was done, and how to reproduce it', () => {
    const text = render('terminal', broken);
    const at = text.indexOf('regress-cursor: timed-out');
    expect(text.slice(at)).toMatch(
      /shown .*Last-Event-ID 8412[\s\S]*did .*nothing[\s\S]*again {2}mcp-chaos --profile desync --seed 42 --only d-a1 -- npm test\n/,
    );
  });

  test('the worst fault comes first', () => {
    const text = render('terminal', broken);
    expect(text.indexOf('skip-events')).toBeLessThan(text.indexOf('regress-cursor'));
    expect(text.indexOf('regress-cursor')).toBeLessThan(text.indexOf('expire-session'));
  });

  test('failures of one kind are one block, and a long list of kinds is cut and says so', () => {
    const [first] = broken.findings;
    const many = (part: (i: number) => Partial<Report['findings'][number]>): string =>
      render('terminal', {
        ...broken,
        findings: Array.from({ length: 40 }, (_, i) => ({ ...first!, id: `f${i}`, ...part(i) })),
      });
    const alike = many(() => ({}));
    expect(alike.match(/^✗/gm)).toHaveLength(1);
    expect(alike).toContain('39 more of the kind: tools/call count (id 7) and 38 more');
    const different = many((i) => ({ obligation: `duty-${i}` }));
    expect(different.match(/^✗/gm)).toHaveLength(8);
    expect(different).toContain('and 32 more failures');
  });

  test('a run that went wrong in several ways fits one screen', () => {
    expect(render('terminal', broken).split('\n').length).toBeLessThanOrEqual(50);
  });
});

describe('html', () => {
  const embedded = (page: string, id: string): unknown => {
    const [, text] = new RegExp(`<script type="application/gzip" id="${id}">([A-Za-z0-9+/=]*)</script>`).exec(
      page,
    )!;
    return JSON.parse(gunzipSync(Buffer.from(text!, 'base64')).toString('utf8'));
  };

  test('embeds the report with the clauses that it names', () => {
    const data = embedded(render('html', broken), 'report') as PageData;
    expect(data.report).toEqual(broken);
    expect(data.clauses['validates-resumed-cursor']!.statement).not.toBe('');
    expect(data.faults['regress-cursor']!.imitates).toContain('session');
  });

  test('a hostile report adds no element and no attribute', () => {
    const tags = (page: string): readonly string[] =>
      [...page.replace(/<pre>[\s\S]*?<\/pre>/, '').matchAll(/<[^>]*>/g)].map(([tag]) => tag);
    expect(tags(render('html', hostile))).toEqual(tags(render('html', broken)));
    const plain = /<pre>([\s\S]*?)<\/pre>/.exec(render('html', hostile))![1]!;
    expect(plain).not.toMatch(/[<>]/);
    expect((embedded(render('html', hostile), 'report') as PageData).report).toEqual(hostile);
  });

  test('runs its own script and style and asks for nothing', () => {
    const page = render('html', broken);
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page)!;
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toContain(`script-src ${hash(drawing().script)};`);
    expect(policy).toContain(`style-src ${hash(drawing().style)};`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'none'");
  });

  test('without a history to draw from it is a mistake of ours', () => {
    expect(() => reporterNamed('html')!.render(broken, { colour: false })).toThrow('history');
  });
});

describe('json', () => {
  test('parses back to the very report, hostile strings included', () => {
    expect(JSON.parse(render('json', broken))).toEqual(broken);
    const parsed = JSON.parse(render('json', { ...broken, notes: ['</script> \u009b \u2028'] })) as Report;
    expect(parsed.notes).toEqual(['</script> \u009b \u2028']);
  });
});

describe('ndjson', () => {
  test('is one line for the run, one a decision and one a finding', () => {
    const lines = render('ndjson', hostile).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      'run',
      'decision',
      'finding',
      'finding',
    ]);
    expect((JSON.parse(lines[1]!) as { id: string }).id.startsWith(hostileText.slice(0, 10))).toBe(true);
  });
});

describe('junit', () => {
  test.each([
    ['broken', broken],
    ['calm', calm],
    ['hostile', hostile],
    ['void', { ...broken, void: true, exitCode: 3 }],
  ])('the report "%s" is valid under the schema of the Jenkins plugin', async (_name, report) => {
    const schema = readFileSync(new URL('junit-10.xsd', import.meta.url), 'utf8');
    const { errors, valid } = await validateXML({ xml: render('junit', report), schema });
    expect(errors).toEqual([]);
    expect(valid).toBe(true);
  });

  test('the schema is really asked', async () => {
    const schema = readFileSync(new URL('junit-10.xsd', import.meta.url), 'utf8');
    const xml = render('junit', broken).replace(' tests="1"', '');
    expect((await validateXML({ xml, schema })).valid).toBe(false);
  });

  test('a desync that went unnoticed fails as it does in the terminal, though its duty was kept', () => {
    const unnoticed = { ...broken.findings[0]!, verdict: 'held', obligation: 'bounds-its-wait' } as const;
    const text = render('junit', { ...broken, findings: [unnoticed] });
    expect(text).toContain('<failure type="regress-cursor.bounds-its-wait"');
    expect(text).toContain('bounds-its-wait: unnoticed, timed-out');
    expect(render('terminal', { ...broken, findings: [unnoticed] })).toContain('✗ regress-cursor: timed-out');
    const noticed = { ...unnoticed, detected: true, outcome: 'surfaced' } as const;
    expect(render('junit', { ...broken, findings: [noticed] })).not.toContain('<failure');
  });

  test('every case of a finding says how to see it again, passed or not', () => {
    const text = render('junit', broken);
    expect(text.match(/<system-out>again: mcp-chaos /g)).toHaveLength(broken.findings.length);
  });

  test('counts failures, skips and errors as they stand in the document', () => {
    const text = render('junit', broken);
    const counted = [...text.matchAll(/failures="(\d+)" errors="(\d+)" skipped="(\d+)"/g)];
    const sum = (group: number): number => counted.reduce((total, match) => total + Number(match[group]), 0);
    expect(sum(1)).toBe(text.match(/<failure /g)!.length);
    expect(sum(2)).toBe(0);
    expect(sum(3)).toBe(text.match(/<skipped /g)!.length);
    expect(render('junit', { ...broken, void: true, exitCode: 3 })).toContain('<error ');
    expect(render('junit', { ...broken, findings: [], exitCode: 2 })).toContain(
      'the profile was not exercised',
    );
  });
});
