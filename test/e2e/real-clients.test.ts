/**
 * Published clients as they are, through the real command line: what the profiles do to them, and that the
 * report says so. The outcomes were seen by hand on both official clients before there was a watcher.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Said } from '../clients/run-client.ts';
import { startEverything } from './harness/everything.ts';
import { type CliRun, runCli } from './harness/run-cli.ts';
import { modernScript } from './harness/scripted-modern.ts';
import { startScriptedServer } from './harness/scripted-server.ts';

const timeoutMs = 1500;
const commands = {
  'sdk 1.32.2': ['node', 'test/clients/official/sdk-v1.mjs'],
  'client 2.4.0': ['node', 'test/clients/official/sdk-v2.mjs'],
  python: ['python3', 'test/clients/stdlib.py'],
  curl: ['sh', 'test/clients/curl.sh'],
} as const;
type Name = keyof typeof commands;
const official: readonly Name[] = ['sdk 1.32.2', 'client 2.4.0'];
const everybody = Object.keys(commands) as Name[];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-real-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A profile with this one rule, for every tool call where nothing else is said. */
function profile(
  fault: string,
  params: Record<string, unknown>,
  method: string | string[] = 'tools/call',
): string {
  const path = join(folder, `${fault}-${Object.values(params).join('-')}.yaml`);
  const rule = { fault, params, when: { method }, chance: 1 };
  // JSON is YAML.
  writeFileSync(
    path,
    JSON.stringify({
      name: `only-${fault}`,
      description: 'One fault, for a test.',
      contract: 'monotonic:stream',
      rules: [rule],
    }),
  );
  return path;
}

async function run(
  name: Name,
  profileName: string,
  flags: string[] = [],
  env: Record<string, string> = {},
): Promise<CliRun> {
  return runCli(
    [
      '--profile',
      profileName,
      '--seed',
      '42',
      '--client-timeout',
      String(timeoutMs),
      ...flags,
      '--',
      ...commands[name],
    ],
    { env: { TIMEOUT_MS: String(timeoutMs), CALLS: '2', ...env } },
  );
}

const said = ({ stdout }: CliRun): Said => JSON.parse(stdout);
const oks = (cli: CliRun): boolean[] => said(cli).calls.map(({ ok }) => ok);
const violated = ({ report }: CliRun) => report!.findings.filter(({ verdict }) => verdict === 'violated');
describe.each(['calm', 'reconnect'])('%s', (weather) => {
  it.each(everybody)('harms nobody: %s has all its answers and no finding is violated', async (name) => {
    const cli = await run(name, weather);
    if (name === 'curl') expect(cli.stdout).toMatch(/\nanswered\n$/);
    else expect(oks(cli)).not.toContain(false);
    expect(violated(cli)).toEqual([]);
    expect(cli.code).toBe(0);
  });

  it('leaves the GET stream its notifications', async () => {
    const cli = await run('sdk 1.32.2', weather, [], { LISTEN_MS: '3000' });
    expect(said(cli)).toMatchObject({ updated: true });
  });
});

describe.each(official)('%s, a call of several parts in flight', (name) => {
  it.each([
    ['regress-cursor', { after: 2, to: 17 }],
    ['skip-events', { after: 2, over: 'answer' }],
    ['swallow-replay', { after: 2, next: 'silence' }],
    ['expire-session', { at: 'resume', after: 2 }],
  ])('resumed into %s %j is woken by its own timeout only', async (fault, params) => {
    const cli = await run(name, profile(fault, params));
    expect(said(cli).calls[0]!.ms).toBeGreaterThanOrEqual(timeoutMs);
    expect(new Set(violated(cli).map(({ outcome }) => outcome))).toEqual(new Set(['timed-out']));
    expect(violated(cli)[0]).toMatchObject({
      fault,
      confidence: 'proven',
      request: { method: 'tools/call', tool: 'count' },
    });
    expect(cli.report?.coverage.detection.detected).toBe(0);
    expect(cli.code).toBe(1);
  });

  it.each(['gap', 'seamless'])(
    'loses notifications, ids %s: answers come, and it is not blamed',
    async (ids) => {
      const flags = ['--deadline', '800'];
      const onBoth = profile('swallow-notification', { ids }, ['tools/call', 'GET']);
      const cli = await run(name, onBoth, flags, { LISTEN_MS: '2000' });
      expect(oks(cli)).toEqual([true, true]);
      expect(said(cli)).toMatchObject({ updated: false });
      expect(violated(cli)).toEqual([]);
      const standAlone = cli.report?.findings.filter(({ request }) => request === null);
      expect(standAlone).toMatchObject([{ outcome: 'accepted', verdict: 'moot', detectability: 'none' }]);
      expect(cli.code).toBe(0);
    },
  );

  it.each(['own', 'other'])(
    'shown an id of an event of its %s stream again, it takes the event',
    async (of) => {
      const cli = await run(name, profile('collide-ids', { of }));
      expect(oks(cli)).toEqual([true, true]);
      expect(cli.report?.findings.map(({ verdict }) => verdict)).toEqual(['held', 'held']);
      expect(cli.report?.findings[0]?.message.shown).toContain('which stands for another event of its');
      expect(cli.code).toBe(0);
    },
  );

  it('torn down by a runner that gives up first, has still detected nothing', async () => {
    const cli = await run(name, profile('regress-cursor', { after: 2, to: 17 }), [], {
      CALLS: '1',
      GIVE_UP_MS: '700',
    });
    expect(cli.report?.suite.code).toBe(1);
    expect(cli.report?.coverage.detection.detected).toBe(0);
  });
});

describe('a report', () => {
  it('is reproduced from its journal, byte for byte', async () => {
    const journal = join(folder, 'kept.ndjson');
    const first = join(folder, 'first.json');
    const second = join(folder, 'second.json');
    const report = (path: string) => ['--report', `json=${path}`];
    const wrapped = ['--profile', 'desync', '--seed', '3', '--journal', journal, ...report(first)];
    await runCli([...wrapped, '--', ...commands['sdk 1.32.2']], { bare: true, env: { TIMEOUT_MS: '600' } });
    await runCli(['check', journal, ...report(second)], { bare: true });
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'));
  });
});

describe('2026-07-28', () => {
  it('passes untouched and is reported as outside of the profile, not as a pass', async () => {
    const upstream = await startScriptedServer(modernScript);
    try {
      const cli = await run('client 2.4.0', 'desync', ['--upstream', upstream.url], { MODE: 'auto' });
      expect(said(cli)).toMatchObject({ revision: '2026-07-28' });
      expect(oks(cli)).toEqual([true, true]);
      expect(cli.report?.findings).toEqual([]);
      expect(cli.report?.traffic.outside.length).toBeGreaterThan(0);
      expect(cli.code).toBe(2);
    } finally {
      await upstream.close();
    }
  });
});

describe('server-everything as upstream', () => {
  const call = { TOOL: 'trigger-long-running-operation', ARGS: '{"duration":0.3,"steps":3}' };
  it.each(['calm', 'reconnect'])('under %s: answers, and nobody to blame', async (weather) => {
    const upstream = await startEverything();
    try {
      const cli = await run('sdk 1.32.2', weather, ['--upstream', upstream.url], call);
      expect(oks(cli)).toEqual([true, true]);
      expect(violated(cli)).toEqual([]);
    } finally {
      await upstream.close();
    }
  });
});
