/** Debian's Chromium (or what stands for it elsewhere), headless, with a profile of its own that is gone afterwards. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executablePath = places.find((path) => existsSync(path));

/** Somebody who tries the project out may have none, and is told by skipped tests; CI has one, or fails. */
export const noBrowser = executablePath === undefined && process.env.CI === undefined;

export interface Browser {
  open(options?: PageOptions): Promise<Opened>;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
}

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and uncaught ones, as they come. */
  readonly errors: readonly string[];
  /** URLs of everything that the page asked for. */
  readonly requests: readonly string[];
}

export async function launchBrowser(): Promise<Browser> {
  if (executablePath === undefined) {
    throw new Error(
      `no Chromium: expected one of ${places.join(', ')}. On Debian: apt-get install -y chromium`,
    );
  }
  const profile = mkdtempSync(join(tmpdir(), 'mcp-chaos-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return {
    async open({ colorScheme = 'light', width = 1280, height = 900 } = {}) {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const errors: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('request', (request) => requests.push(request.url()));
      return { page, context, errors, requests };
    },
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** Resolves once the page has read all that is embedded in it. */
export async function openReport(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForSelector('html[data-ready]');
}
