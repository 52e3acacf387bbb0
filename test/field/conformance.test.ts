/**
 * The conformance contract both ways: a client that takes the URL as its last argument is wrapped with
 * `--url-last`, and the official conformance client runner, which starts its own servers on random ports and calls such
 * clients, is wrapped as it is.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CliRun, runCli } from '../e2e/harness/run-cli.ts';
import { install } from './packages.ts';

let home: string;
beforeAll(async () => {
  home = await install('conformance');
});

const client = (): string => join(home, 'conformance.mjs');

it('a client that takes the URL as its last argument needs no line of its own', async () => {
  const run = await runCli([
    ...['--profile', 'reconnect', '--seed', '1', '--url-last', '--'],
    ...[process.execPath, client()],
  ]);
  expect(run.stdout).toMatch(/^count /m);
  expect(run.report).toMatchObject({ exitCode: 0, suite: { code: 0 } });
  expect(run.report!.coverage.faults.applied).toBeGreaterThan(0);
});

const [major] = process.versions.node.split('.').map(Number);

// It imports `globSync` of node:fs.
describe.skipIf(major! < 22)('the official conformance client runner (Node 22 or later)', () => {
  const scenario = (name: string, profile: string, ...flags: string[]): Promise<CliRun> =>
    runCli([
      ...['--profile', profile, '--seed', '1', ...flags, '--'],
      ...[
        process.execPath,
        join(home, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
        'client',
      ],
      ...['--scenario', name, '--command', `${process.execPath} ${client()}`],
    ]);

  it.each(['initialize', 'tools_call', 'sse-retry'])(
    '%s passes under calm, through the proxy',
    async (name) => {
      const run = await scenario(name, 'calm');
      expect(run.code, run.stdout + run.stderr).toBe(0);
      expect(run.report!.traffic.sessions).toBe(1);
      expect(run.journal.filter(({ kind }) => kind === 'request')).toContainEqual(
        expect.objectContaining({ upstream: 'server-1', mcp: true }),
      );
    },
  );

  it('what a client does in a scenario is judged, and the finding is about the server of that scenario', async () => {
    const good = await scenario('tools_call', 'duplicate-response');
    expect(good.code, good.stderr).toBe(0);
    expect(good.report!.findings.map(({ upstream, verdict }) => [upstream, verdict])).toEqual([
      ['server-1', 'held'],
    ]);
    // No SDK begins a new session after a 404: the scenario fails, and this says why.
    const bad = await scenario('sse-retry', 'expire-session');
    expect(bad.report!.suite.code, bad.stderr).toBe(1);
    expect(bad.report!.findings).toContainEqual(
      expect.objectContaining({
        upstream: 'server-1',
        fault: 'expire-session',
        obligation: 'reinitialises-after-404',
      }),
    );
  });
});
