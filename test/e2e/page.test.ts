/** The report of a real run of the official client, in a real browser, from disk. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeFact } from '../../src/history/codec.ts';
import { judgeJournal } from '../../src/runner/judge-journal.ts';
import { runsFolder } from '../../src/runner/sweep.ts';
import { encodeLine } from '../../src/sweep/log.ts';
import { failed, part, ran } from '../sweep/sample.ts';
import { type Browser, launchBrowser, noBrowser, openReport } from './harness/browser.ts';
import { manyFacts } from './harness/many-facts.ts';
import { root, runCli } from './harness/run-cli.ts';

let folder: string;
let browser: Browser;
let report: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-page-'));
  browser = await launchBrowser();
  const file = join(folder, 'report.html');
  const run = await runCli([
    ...['--profile', 'idle-timeout', '--seed', '1', '--client-timeout', '1500', '--report', `html=${file}`],
    ...['--', 'node', 'test/e2e/fixtures/one-call.mjs'],
  ]);
  expect(run.code).toBe(1);
  report = pathToFileURL(file).href;
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

const steps = (page: Page) => page.getByRole('list', { name: /^What happened, in time/ });

describe.skipIf(noBrowser)('the page of a run', () => {
  test('opens from disk without an error and asks for nothing', async () => {
    const { page, errors, requests } = await browser.open();
    await openReport(page, report);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^None of 1 desync noticed/);
    await page.waitForLoadState('networkidle');
    expect(errors).toEqual([]);
    expect(requests.filter((url) => url !== report && !url.startsWith('data:'))).toEqual([]);
    await page.close();
  });

  test('a cell of the matrix leads to its finding', async () => {
    const { page } = await browser.open();
    await openReport(page, report);
    await page.getByRole('link', { name: '1 of regress-cursor: timed-out, violated' }).click();
    expect(new URL(page.url()).hash).toContain('fault=regress-cursor&outcome=timed-out');
    const options = page.getByRole('listbox', { name: 'Findings, worst first' }).getByRole('option');
    expect(await options.count()).toBe(1);
    expect(await options.first().textContent()).toContain('timed-out');
    expect(await page.getByRole('heading', { level: 2, name: 'regress-cursor timed-out' }).isVisible()).toBe(
      true,
    );
    await page.close();
  });

  test("the picture tells the first seed's story to whoever listens: 8412, then 17", async () => {
    const { page } = await browser.open();
    await openReport(page, report);
    const heard = (await steps(page).ariaSnapshot()).replaceAll("''", "'");
    const order = [
      'Client sent tools/call count, id 1',
      'client was shown id 8412, progress 1 of 4',
      'the answer to id 1; the client was never shown it',
      'Client sent GET, resume after id 8412',
      "The ids go back here: the client's last id was 8412, the first after its resumption is 17.",
      'Client was shown id 17',
      "The client's own timeout of 1.5 s is over.",
    ].map((part) => heard.indexOf(part));
    expect(order, heard).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    await page.close();
  });

  test('a step opens to the bytes that were on the wire', async () => {
    const { page } = await browser.open();
    await openReport(page, report);
    await steps(page)
      .getByRole('button', { name: /Client was shown id 17/ })
      .click();
    expect(await page.locator('.diagram .raw pre').first().textContent()).toMatch(/^id: 17\ndata: /);
    await page.close();
  });

  test('the copy button copies a line that, pasted into a shell, shows the finding again', async () => {
    const { page } = await browser.open();
    await openReport(page, report);
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied').waitFor();
    const line = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(line).toMatch(/^mcp-chaos .* --only [0-9a-f]{8} -- node /);
    const again = spawnSync('sh', ['-c', line], {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...process.env, NO_COLOR: '1', PATH: `${commandFolder()}:${process.env.PATH}` },
    });
    expect(again.status, again.stderr).toBe(1);
    expect(again.stderr).toContain('✗ regress-cursor: timed-out  CONTRACT validates-resumed-cursor');
    await page.close();
  });

  test('a keyboard alone reaches everything', async () => {
    const { page } = await browser.open();
    await openReport(page, report);
    const reached = new Map<string, number>();
    for (let stop = 0; stop < 60; stop += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate<string>(focused);
      if (name === '(end)') break;
      reached.set(name, stop);
    }
    const names = [...reached.keys()].join('\n');
    for (const wanted of [
      'a 1 of regress-cursor: timed-out',
      'select',
      'input',
      'div Findings, worst first',
      'button 0 ms: Client sent tools/call count',
      'button Copy',
      'a ',
      'summary Evidence',
      'div Facts, in the order',
    ])
      expect(names).toContain(wanted);
    await page.close();
  });

  test('the arrow keys move through findings and through the picture, Enter opens a step', async () => {
    const { page } = await browser.open();
    await openReport(page, report);
    await page.getByRole('listbox', { name: 'Findings, worst first' }).focus();
    await page.keyboard.press('End');
    const last = page.getByRole('listbox', { name: 'Findings, worst first' }).getByRole('option').last();
    expect(await last.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Home');
    await steps(page).getByRole('button').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    const step = page.locator(':focus');
    expect(await step.textContent()).toContain('armed regress-cursor');
    await page.keyboard.press('Enter');
    expect(await step.getAttribute('aria-expanded')).toBe('true');
    await page.close();
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)(
    'contrast, names and roles pass the automatic check: %s, %i px wide',
    async (colorScheme, width) => {
      const { page } = await browser.open({ colorScheme, width });
      await openReport(page, report);
      await page.locator('summary').click();
      // The page's own policy forbids foreign scripts, so this one comes in through the debugger.
      await page.evaluate(axe.source);
      expect(await page.evaluate<readonly string[]>(objections)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await page.close();
    },
  );
});

describe.skipIf(noBrowser)('the page of a sweep', () => {
  let address: string;
  beforeAll(async () => {
    // Three seeds that show one finding, of which the lowest left its journal; many others that show none.
    const stored = join(root, 'test/journals/first-seed.ndjson');
    const run = judgeJournal(stored);
    const runs = Array.from({ length: 200 }, (_, n) =>
      n % 80 === 7 ? failed(n + 1, run.findings.find(({ outcome }) => outcome === 'timed-out')!) : ran(n + 1),
    );
    const { started, control, ended } = part(runs);
    const file = join(folder, 'sweep.ndjson');
    writeFileSync(file, [started, control!, ...runs, ended!].map(encodeLine).join(''));
    mkdirSync(`${runsFolder(file)}/8`, { recursive: true });
    copyFileSync(stored, `${runsFolder(file)}/8/journal.ndjson`);
    const page = join(folder, 'sweep.html');
    const merged = await runCli(['merge', file, '--report', `html=${page}`], { bare: true });
    expect(merged.code, merged.stderr).toBe(1);
    address = pathToFileURL(page).href;
  });

  test('shows seeds, findings, the trend, and the picture of the seed that left a journal', async () => {
    const { page, errors, requests } = await browser.open();
    await openReport(page, address);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^1 way to fail/);
    await page.getByRole('link', { name: /regress-cursor timed-out · count 3 seeds, from 8 to 168/ }).click();
    expect(await page.locator('.seeds').textContent()).toContain(
      '3 seeds: 8, 88, 168. Below, that of seed 8.',
    );
    const trend = page.getByRole('img', {
      name: /^Distinct findings so far: 0 after seed 1, 1 after seed 200/,
    });
    expect(await trend.isVisible()).toBe(true);
    await steps(page)
      .getByRole('button', { name: /Client was shown id 17/ })
      .waitFor();
    expect(errors).toEqual([]);
    expect(requests.filter((url) => url !== address && !url.startsWith('data:'))).toEqual([]);
    await page.close();
  });

  test.each(['light', 'dark'] as const)('passes the automatic check: %s', async (colorScheme) => {
    const { page } = await browser.open({ colorScheme });
    await openReport(page, address);
    await steps(page).waitFor();
    await page.evaluate(axe.source);
    expect(await page.evaluate<readonly string[]>(objections)).toEqual([]);
    await page.close();
  });
});

test.skipIf(noBrowser)('a journal full of hostile text is shown and does nothing', async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant to be taken for one.
  const hostile = '</script><img src=x onerror=alert(1)>\u001b[31m\u202e"\'`${1}';
  const stored = readFileSync(join(root, 'test/journals/first-seed.ndjson'), 'utf8');
  const inJson = JSON.stringify(hostile).slice(1, -1);
  // In the text of messages, which is JSON in JSON, and in what the facts themselves name.
  const text = stored
    .replaceAll('part 1 of 4', JSON.stringify(inJson).slice(1, -1))
    .replaceAll('\\"count\\"', `\\"${JSON.stringify(inJson).slice(1, -1)}\\"`)
    .replaceAll('"scope":"main"', `"scope":"${inJson}"`)
    .replaceAll('"seed":"1"', `"seed":"${inJson}"`)
    .replaceAll('"id":"d993f77d"', `"id":"${inJson}"`)
    .replaceAll('"decision":"d993f77d"', `"decision":"${inJson}"`);
  const journal = join(folder, 'hostile.ndjson');
  writeFileSync(journal, text);
  const file = join(folder, 'hostile.html');
  const made = await runCli(['report', journal, '--report', `html=${file}`], { bare: true });
  expect(made.code, made.stderr).toBe(0);
  const { page, errors, requests } = await browser.open();
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await openReport(page, pathToFileURL(file).href);
  await page.locator('summary').click();
  for (const step of await steps(page).getByRole('button').all()) await step.click();
  expect(await page.locator('body').textContent()).toContain(
    '</script><img src=x onerror=alert(1)>\\x1b[31m\\u202e',
  );
  expect(await page.locator('.diagram').textContent()).toContain('<img src=x onerror=alert(1)>\\x1b[31m');
  expect(await page.locator('#app img, #app script, #app iframe').count()).toBe(0);
  const shown = (await page.locator('#app').textContent()) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
  expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect([dialogs, errors]).toEqual([[], []]);
  expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
  await page.close();
});

test.skipIf(noBrowser)(
  'a run of 100 000 facts opens within two seconds of processor time and draws what is in view',
  async () => {
    const journal = join(folder, 'long.ndjson');
    const facts = manyFacts(100_000);
    writeFileSync(journal, facts.map(encodeFact).join(''));
    const file = join(folder, 'long.html');
    const made = await runCli(['report', journal, '--report', `html=${file}`], { bare: true });
    expect(made.code, made.stderr).toBe(0);
    const { page, context, errors } = await browser.open();
    const before = await processorSeconds(page, context);
    await openReport(page, pathToFileURL(file).href);
    expect((await processorSeconds(page, context)) - before).toBeLessThan(2);

    const list = page.getByRole('listbox', { name: 'Facts, in the order in which they were recorded' });
    await list.focus();
    await page.keyboard.press('End');
    await page.locator('#fact-99999').waitFor();
    expect(await list.getByRole('option').count()).toBeLessThan(100);
    expect(await page.locator('*').count()).toBeLessThan(3000);
    expect(errors).toEqual([]);
    await page.close();
  },
);

/**
 * Processor time of the page's process so far, all its threads. It bounds what a person waits on a free
 * machine, and others may be at work on this one.
 */
async function processorSeconds(page: Page, context: BrowserContext): Promise<number> {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const found = metrics.find(({ name }) => name === 'ProcessTime');
  if (found === undefined) throw new Error('this Chromium does not tell the processor time of a page');
  return found.value;
}

/** What has the focus, in the page's own words. */
const focused = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body) return '(end)';
  return (at.tagName.toLowerCase() + ' ' + (at.getAttribute('aria-label') ?? at.textContent)).slice(0, 80);
})()`;

/** What the checker objects to, one line a rule. */
const objections = `axe.run().then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + JSON.stringify(nodes[0].target) + ' ' + nodes[0].failureSummary))`;

/** A folder with the command in it, as an installation has one. */
function commandFolder(): string {
  const path = join(folder, 'mcp-chaos');
  rmSync(path, { force: true });
  symlinkSync(join(root, 'bin/mcp-chaos.js'), path);
  chmodSync(join(root, 'bin/mcp-chaos.js'), 0o755);
  return folder;
}
