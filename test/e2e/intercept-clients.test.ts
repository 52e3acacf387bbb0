/** Clients of every kind, whose servers nobody told us of. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/history/fact.ts';
import { type CliRun, root, runCli } from './harness/run-cli.ts';

const fixtures = join(root, 'test/e2e/fixtures/own-servers');
const facts = <Kind extends Fact['kind']>(
  run: CliRun,
  kind: Kind,
): readonly Extract<Fact, { kind: Kind }>[] =>
  (run.journal as unknown as readonly Fact[]).filter((fact): fact is never => fact.kind === kind);

/** The names of the clients whose `initialize` came by, with the server and scope it was recorded under. */
function cameBy(run: CliRun): readonly (readonly string[])[] {
  const bodies = new Map(facts(run, 'request-body').map(({ exchange, body }) => [exchange, body]));
  return facts(run, 'request').flatMap(({ exchange, upstream, scope }) => {
    const body = bodies.get(exchange);
    const name = body !== undefined && 'text' in body && JSON.parse(body.text).params?.clientInfo?.name;
    return name ? [[name, upstream, scope]] : [];
  });
}

describe('Node', () => {
  let run: CliRun;
  let said: {
    readonly host: string;
    readonly names: readonly string[];
    readonly urls: Readonly<Record<string, boolean>>;
    readonly seen: readonly {
      readonly path: string;
      readonly host: string;
      readonly ours: readonly string[];
    }[];
  };
  beforeAll(async () => {
    const client = join(fixtures, 'clients.mjs');
    run = await runCli(['--profile', 'calm', '--seed', '1', '--', process.execPath, client]);
    expect(run.code, run.stderr).toBe(0);
    said = JSON.parse(run.stdout);
  });

  it('is brought along, whichever way it asks', () => {
    const scope = 'test/e2e/fixtures/own-servers/clients.mjs';
    expect(said.names.length).toBeGreaterThan(10);
    // A redirect is followed through the proxy, once for each hop.
    const expected = said.names.flatMap((name) =>
      Array(name.includes('redirected') ? 2 : 1).fill([
        name,
        'server-1',
        name === 'a worker' ? 'main' : scope,
      ]),
    );
    expect(cameBy(run)).toEqual(expected);
  });

  it('keeps the URL that it asked for, and its server the Host; nothing of ours is shown', () => {
    expect(Object.entries(said.urls).filter(([, kept]) => !kept)).toEqual([]);
    expect(new Set(said.seen.map(({ host }) => host))).toEqual(new Set([said.host]));
    expect(said.seen.flatMap(({ ours }) => ours)).toEqual([]);
  });

  it('goes direct with what is no MCP, which is counted', () => {
    expect(said.seen.filter(({ path }) => path === '/health')).toHaveLength(3);
    expect(facts(run, 'left-alone')).toMatchObject([{ reason: 'direct', count: 3 }]);
  });

  it('is left alone altogether with --no-intercept', async () => {
    const client = join(fixtures, 'clients.mjs');
    const off = await runCli([
      '--profile',
      'calm',
      '--seed',
      '1',
      '--no-intercept',
      '--',
      process.execPath,
      client,
    ]);
    expect(JSON.parse(off.stdout).seen).toHaveLength(said.seen.length);
    expect(facts(off, 'request')).toEqual([]);
    expect(facts(off, 'left-alone')).toEqual([]);
  });
});

describe('Python', () => {
  const python = '/usr/bin/python3';

  // CI has it, or fails.
  const installed = spawnSync(python, ['-c', 'import httpx']).status === 0;

  it.runIf(installed || process.env.CI !== undefined)(
    'with httpx is brought along by the environment alone, and judged',
    async () => {
      const command = [
        process.execPath,
        '--import',
        'tsx',
        join(fixtures, 'serve-and-run.mjs'),
        python,
        join(fixtures, 'counts.py'),
      ];
      const run = await runCli(['--profile', 'reconnect', '--seed', '3', '--', ...command], {
        // What most environments say would keep it from us.
        env: { no_proxy: 'localhost,127.0.0.1' },
      });
      expect(run.report?.suite.code, run.stderr).toBe(0);
      expect(JSON.parse(run.stdout)).toMatchObject({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
        parts: 5,
      });
      expect(cameBy(run)).toEqual([['httpx', 'server-1', 'main']]);
      expect(run.report?.findings.map(({ fault, outcome, upstream }) => [fault, outcome, upstream])).toEqual([
        ['drop-stream', 'recovered', 'server-1'],
      ]);
      expect(facts(run, 'left-alone')).toMatchObject([{ reason: 'forwarded', count: 1 }]);
    },
  );
});
