/**
 * The pictures in the README: the report of a stored journal, and the live page of a run made for it. Beside
 * them stands a digest of what they were made from, so that a test can say when they are out of date; pixels
 * differ between machines.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser, openReport } from '../test/e2e/harness/browser.ts';
import build from '../test/e2e/harness/build.ts';
import { runCli } from '../test/e2e/harness/run-cli.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const images = join(root, 'docs/images');
const journal = 'test/journals/first-seed.ndjson';
/** Where the digest stands. */
export const madeFrom = join(images, 'made-from.txt');

/** Whatever the pictures show is made of these. */
const sources = ['src/page', 'src/report/picture', 'src/report/html.ts', journal];

export function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const path of sources.flatMap(filesIn).sort())
    hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesIn(path: string): readonly string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path)).flatMap((name) => filesIn(`${path}/${name}`));
}

export async function takeScreenshots(): Promise<void> {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-shots-'));
  const browser = await launchBrowser();
  try {
    const file = join(folder, 'report.html');
    await runCli(['report', journal, '--report', `html=${file}`], { bare: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await browser.open({ colorScheme, width: 1240, height: 1540 });
      await openReport(page, pathToFileURL(file).href);
      await shoot(page, `report-${colorScheme}`);
    }
    await shootLive(browser, folder);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
  writeFileSync(madeFrom, `${digestOfSources()}\n`);
  console.log('wrote docs/images');
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(images, `${name}.png`) });
  await page.close();
}

/** The official client with two slow calls; one of them meets a regression. */
async function shootLive(browser: Awaited<ReturnType<typeof launchBrowser>>, folder: string): Promise<void> {
  const chaos = spawn(
    process.execPath,
    [
      ...['--import', 'tsx', 'src/cli/main.ts', '--ui', '--profile', 'by-hand', '--seed', '7'],
      ...['--client-timeout', '6000', '--journal', join(folder, 'live.ndjson')],
      ...['--', 'node', 'test/e2e/fixtures/slow-calls.mjs'],
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  chaos.stderr.on('data', (text) => {
    said += text;
  });
  try {
    while (!/live at (\S+)/.test(said)) await new Promise((resolve) => setTimeout(resolve, 50));
    const { page } = await browser.open({ width: 1240, height: 1240 });
    await page.goto(/live at (\S+)/.exec(said)![1]!);
    await page.getByRole('option', { name: /tools\/call count/ }).click();
    await page.getByLabel('Fault').first().selectOption('regress-cursor');
    await page.getByRole('button', { name: 'Inject into this stream' }).click();
    const stream = page.getByRole('list', { name: /^The stream so far/ });
    await stream.getByRole('button', { name: /Client was shown id 19/ }).waitFor();
    // The report follows the facts at a distance.
    await page.getByText('1 of 1 armed faults').waitFor();
    await shoot(page, 'live');
  } finally {
    const gone = new Promise((resolve) => chaos.once('exit', resolve));
    chaos.kill('SIGINT');
    await gone;
  }
}
