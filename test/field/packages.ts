/**
 * The published packages that the rows run against: several versions side by side, by aliases. One folder for
 * each group, because their dependencies do not get along (or, for the parsers, have to differ).
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

interface Group {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

const sdk = (version: string): Readonly<Record<string, string>> => ({
  [`sdk-${version}`]: `npm:@modelcontextprotocol/sdk@${version}`,
});
const aiSdk = (version: string): Readonly<Record<string, string>> => ({
  [`ai-${version}`]: `npm:@ai-sdk/mcp@${version}`,
});
const mcpRemote = (version: string): Readonly<Record<string, string>> => ({
  [`remote-${version}`]: `npm:mcp-remote@${version}`,
});
/** The SDK reads streams with this parser; its own range would take the repaired one. */
const parser = (version: string): Group => ({
  dependencies: { ...sdk('1.29.0'), 'eventsource-parser': version, zod: '3.25.76' },
  overrides: { 'eventsource-parser': version },
});

const groups = {
  sdk: {
    dependencies: {
      ...sdk('1.12.3'),
      ...sdk('1.15.1'),
      ...sdk('1.16.0'),
      ...sdk('1.20.2'),
      ...sdk('1.22.0'),
      ...sdk('1.23.0'),
      ...sdk('1.23.1'),
      ...sdk('1.24.0'),
      ...sdk('1.25.3'),
      ...sdk('1.32.2'),
      'client-2.4.0': 'npm:@modelcontextprotocol/client@2.4.0',
      zod: '3.25.76',
    },
  },
  'ai-sdk': {
    dependencies: {
      ...aiSdk('1.0.50'),
      ...aiSdk('1.0.51'),
      ...aiSdk('1.0.59'),
      ...aiSdk('1.0.60'),
      ...aiSdk('1.0.102'),
      zod: '3.25.76',
    },
  },
  'mcp-remote': {
    dependencies: { ...mcpRemote('0.1.44'), ...mcpRemote('0.1.45'), ...mcpRemote('0.15.1') },
  },
  mastra: {
    dependencies: {
      '@mastra/core': '0.24.9',
      'mastra-0.14.4': 'npm:@mastra/mcp@0.14.4',
      'mastra-0.14.5': 'npm:@mastra/mcp@0.14.5',
      zod: '3.25.76',
    },
  },
  runners: {
    dependencies: {
      ava: '7.0.0',
      jest: '29.7.0',
      mocha: '11.8.0',
      tsx: '4.23.15',
      'vitest-3': 'npm:vitest@3.2.7',
      'vitest-4': 'npm:vitest@4.1.12',
      axios: '1.21.1',
      got: '14.6.6',
      'node-fetch': '3.3.2',
      superagent: '10.4.2',
      'undici-5': 'npm:undici@5.29.0',
      'undici-6': 'npm:undici@6.29.1',
      'undici-7': 'npm:undici@7.30.2',
    },
  },
  conformance: {
    dependencies: { ...sdk('1.32.2'), '@modelcontextprotocol/conformance': '0.1.16', zod: '4.6.7' },
  },
  'parser-3.0.3': parser('3.0.3'),
  'parser-3.0.5': parser('3.0.5'),
} satisfies Readonly<Record<string, Group>>;

export type GroupName = keyof typeof groups;

/** Outside of git; about 1 GB in the end. */
const folder =
  process.env.MCP_CHAOS_FIELD ?? fileURLToPath(new URL('../../.mcp-chaos/field/', import.meta.url));

/** Installs a group unless exactly these versions are there, and returns where its clients are. */
export async function install(name: GroupName): Promise<string> {
  const home = join(folder, name);
  const manifest = JSON.stringify({ name: `field-${name}`, private: true, type: 'module', ...groups[name] });
  const done = join(home, 'installed.json');
  await mkdir(home, { recursive: true });
  // Beside the packages, so that a client can import them by their names.
  await cp(fileURLToPath(new URL('clients/', import.meta.url)), home, { recursive: true });
  if ((await readFile(done, 'utf8').catch(() => '')) === manifest) return home;
  await writeFile(join(home, 'package.json'), manifest);
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...flags], { cwd: home });
  await writeFile(done, manifest);
  return home;
}
