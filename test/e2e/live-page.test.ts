/** `proxy --ui`, explored by a person with a mouse: Chromium, and the official client with slow calls. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Browser, launchBrowser, noBrowser } from './harness/browser.ts';
import { launcher, root, runCli } from './harness/run-cli.ts';

let folder: string;
let browser: Browser;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-live-'));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Live {
  readonly ui: string;
  readonly url: string;
  readonly control: string;
  readonly journal: string;
  /** Ctrl+C, and all that it printed. */
  end(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

async function withProxy(name: string, use: (live: Live) => Promise<void>): Promise<void> {
  const journal = join(folder, `${name}.ndjson`);
  const flags = [
    '--profile',
    'by-hand',
    '--seed',
    '7',
    '--ui',
    '--client-timeout',
    '4000',
    '--deadline',
    '1s',
  ];
  const child = spawn(process.execPath, [launcher, 'proxy', ...flags, '--journal', journal], {
    cwd: root,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr!.on('data', (text) => {
    stderr += text;
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const printed = (what: RegExp): Promise<string> =>
    expect
      .poll(() => what.exec(stderr)?.[1], { timeout: 30_000 })
      .toBeTruthy()
      .then(() => what.exec(stderr)![1]!);
  try {
    const [ui, url, control] = [
      await printed(/live at (\S+)/),
      await printed(/clients connect to +(\S+)/),
      await printed(/marks are posted to +(\S+)\/mark/),
    ];
    const end: Live['end'] = async () => {
      child.kill('SIGINT');
      return { code: await exited, stderr };
    };
    await use({ ui, url, control, journal, end });
  } finally {
    child.kill('SIGKILL');
    await exited;
  }
}

/** Two slow calls at once; ends by itself after some seconds. */
function slowCalls(url: string): ChildProcess {
  return spawn(process.execPath, ['test/e2e/fixtures/slow-calls.mjs', url], { cwd: root, stdio: 'ignore' });
}

/** When a line with this text was first seen in the journal, by this process's clock. */
async function inJournal(path: string, text: string): Promise<number> {
  await expect
    .poll(() => readFileSync(path, 'utf8').includes(text), { timeout: 20_000, interval: 10 })
    .toBe(true);
  return performance.now();
}

async function openLive(ui: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
  const { page, errors } = await browser.open();
  await page.goto(ui);
  await page.waitForSelector('html[data-ready=running]');
  return { page, errors };
}

test.skipIf(noBrowser)(
  'one click injects the chosen fault into the chosen stream, and it shows within a second of its landing',
  async () => {
    await withProxy('inject', async ({ ui, url, journal, end }) => {
      const { page, errors } = await openLive(ui);
      const client = slowCalls(url);
      try {
        const count = page.getByRole('option', { name: /tools\/call count/ });
        await count.click();
        await page.getByLabel('Fault').first().selectOption('regress-cursor');
        await page.getByRole('button', { name: 'Inject into this stream' }).click();
        await page.getByText(/regress-cursor is armed in stream-\d+ \(decision [0-9a-f]{8}\)/).waitFor();

        const stream = page.getByRole('list', { name: /^The stream so far: tools\/call count/ });
        const [landedAt, drawnAt] = await Promise.all([
          inJournal(journal, '"prelude":false'),
          stream
            .getByRole('button', { name: /regress-cursor acts/ })
            .waitFor()
            .then(() => performance.now()),
        ]);
        expect(drawnAt - landedAt).toBeLessThan(1000);
        expect(
          await stream
            .getByRole('button', {
              name: /armed regress-cursor here, by hand/,
            })
            .count(),
        ).toBe(1);
        await page.getByRole('option', { name: /tools\/call report/ }).click();
        expect(
          await page
            .getByRole('list', { name: /^The stream so far: tools\/call report/ })
            .getByText(/regress-cursor/)
            .count(),
        ).toBe(0);

        // Provisional outcomes: the client has not given up yet, and the finding is there.
        await page.getByRole('heading', { level: 2, name: /^regress-cursor / }).waitFor();
        await new Promise((resolve) => client.once('exit', resolve));
        const { stderr, code } = await end();
        expect(code).toBe(1);
        expect(stderr).toContain('1 fault was injected by hand');
        await page.getByText('the run has ended; this page keeps what it has').waitFor();
        expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('exit 1');
        expect(errors).toEqual([]);

        const checked = await runCli(['check', journal, '--report', 'json=-'], { bare: true });
        expect(checked.code).toBe(1);
        const report = JSON.parse(checked.stdout);
        expect(report.decisions).toHaveLength(1);
        expect(report.decisions[0]).toMatchObject({ fault: 'regress-cursor', by: 'hand', applied: true });
        expect(report.decisions[0].site).toMatch(/^embedded\/main\/s1\/tools%2Fcall\/count\/[0-9a-f]+\/1$/);
        expect(report.findings[0]).toMatchObject({ request: { tool: 'count' }, verdict: 'violated' });
        expect(report.findings[0].reproduce).toMatch(/ --ui # then, by hand, regress-cursor into embedded/);
      } finally {
        client.kill('SIGKILL');
        await page.close();
      }
    });
  },
);

test.skipIf(noBrowser)(
  'a fault can wait for the next call of a scope, and strikes that one alone',
  async () => {
    await withProxy('waiting', async ({ ui, url, end }) => {
      const { page } = await openLive(ui);
      // The first client only opens a stream to choose the scope by.
      const first = slowCalls(url);
      await page.getByRole('option', { name: /tools\/call report/ }).click();
      await page.getByLabel('Fault').first().selectOption('stall-stream');
      await page.getByRole('button', { name: 'Into the next call of scope main' }).click();
      await page.getByText('stall-stream waits for the next call in scope main.').waitFor();

      const second = slowCalls(url);
      try {
        await page.locator('#stream .armed', { hasText: 'stall-stream' }).waitFor({ timeout: 15_000 });
        expect(await page.locator('#stream .armed').count()).toBe(1);
      } finally {
        first.kill('SIGKILL');
        second.kill('SIGKILL');
        await page.close();
        await end();
      }
    });
  },
);

describe.skipIf(noBrowser)('who may inject', () => {
  test('nobody with the wrapped command’s token, another Origin, another Host or no token', async () => {
    await withProxy('guarded', async ({ ui, control, end }) => {
      const page = new URL(ui);
      const own = { host: page.host, origin: page.origin };
      expect(await status(page, {})).toBe(200);
      expect(await status(page, { host: 'evil.example' })).toBe(403);
      expect(await status(new URL('/', page), {})).toBe(404);
      expect(await status(new URL(`/${new URL(control).pathname.slice(1)}/`, page), {})).toBe(404);
      const feed = `ws://${page.host}${page.pathname}feed`;
      expect(await connects(feed, own)).toBe(true);
      expect(await connects(feed, { ...own, origin: 'http://evil.example' })).toBe(false);
      expect(await connects(feed, { ...own, origin: 'http://127.0.0.1:1' })).toBe(false);
      expect(await connects(feed, { host: page.host })).toBe(false);
      expect(await connects(feed, { ...own, host: 'evil.example' })).toBe(false);
      expect(await connects(`ws://${page.host}${new URL(control).pathname}/feed`, own)).toBe(false);

      // The wrapped command's address takes marks and nothing else.
      const injection = JSON.stringify({ type: 'inject', fault: 'drop-stream', target: { scope: 'main' } });
      const refused = await fetch(`${control}/inject`, { method: 'POST', body: injection });
      expect(refused.status).toBe(404);
      const asMark = await fetch(`${control}/mark`, { method: 'POST', body: injection });
      expect(asMark.status).toBe(400);
      await end();
    });
  });

  test('an order that cannot be carried out is answered with the reason', async () => {
    await withProxy('refused', async ({ ui, end }) => {
      const page = new URL(ui);
      const socket = new WebSocket(`ws://${page.host}${page.pathname}feed`, { origin: page.origin });
      const answers: string[] = [];
      socket.on('message', (data) => {
        const message = JSON.parse(String(data)) as { type: string; said?: string };
        if (message.type === 'injected') answers.push(message.said!);
      });
      await new Promise((resolve) => socket.once('open', resolve));
      for (const order of [
        '{',
        JSON.stringify({ type: 'inject', fault: 'no-such', target: { scope: 'main' } }),
        JSON.stringify({ type: 'inject', fault: 'drop-stream', target: { stream: 'stream-99' } }),
      ])
        socket.send(order);
      await expect
        .poll(() => answers)
        .toEqual([
          'the message was not understood',
          'Not injected: there is no fault "no-such".',
          'Not injected: there is no stream "stream-99".',
        ]);
      socket.close();
      await end();
    });
  });
});

function status(url: URL, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host: url.host, ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}

function connects(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.once('open', () => {
      socket.terminate();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
