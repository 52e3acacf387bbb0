/** The vitest reporter, in a suite that vitest runs as somebody else's would be. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliRun, root, runCli } from './harness/run-cli.ts';

const fixture = join(root, 'test/e2e/fixtures/vitest-marks/vitest.config.mjs');
const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', fixture];
const [well, said, hung] = [
  'gets every part',
  'says so where a stream went wrong',
  'hangs until its runner gives up',
].map((name) => `calls.spec.mjs > a counting client > ${name}`) as [string, string, string];

let folder: string;
let cli: CliRun;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-vitest-'));
  const profile = join(folder, 'some.yaml');
  const rule = {
    fault: 'regress-cursor',
    params: { after: 2, to: 17 },
    when: { method: 'tools/call', scope: [said, hung] },
    chance: 1,
  };
  // JSON is YAML.
  writeFileSync(
    profile,
    JSON.stringify({ name: 'some', description: 'Two.', contract: 'monotonic:stream', rules: [rule] }),
  );
  cli = await runCli(['--profile', profile, '--seed', '1', '--client-timeout', '3000', '--', ...vitest], {
    timeoutMs: 100_000,
  });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a suite with the reporter', () => {
  it('has every test marked from start to end, in the scope of its name', () => {
    const marks = cli.journal.filter(({ kind, name }) => kind === 'mark' && name !== undefined);
    const phases = (test: string) => marks.filter(({ scope }) => scope === test).map(({ phase }) => phase);
    expect([well, said, hung].map(phases)).toEqual([
      ['started', 'resolved'],
      ['started', 'resolved'],
      ['started', 'rejected'],
    ]);
    expect(marks.find(({ phase }) => phase === 'rejected')).toMatchObject({
      name: hung.replace('calls.spec.mjs > ', ''),
      error: expect.stringContaining('timed out'),
    });
  });

  it('has all traffic in the scope of a test, also what goes to the plain MCP_CHAOS_URL', () => {
    const scopes = cli.journal.flatMap(({ kind, scope }) => (kind === 'request' ? [scope] : []));
    expect(new Set(scopes)).toEqual(new Set([well, said, hung]));
  });

  it('has each finding in the scope of its test', () => {
    expect(
      cli.report?.findings.map(({ scope, outcome, confidence }) => [scope, outcome, confidence]),
    ).toEqual([
      [said, 'surfaced', 'inferred'],
      [hung, 'timed-out', 'inferred'],
    ]);
    expect(cli.report?.suite.code).toBe(1);
    expect(cli.code).toBe(1);
  });
});

it('the same suite without a run is not touched: no marks, no scope, and an address of its own is needed', async () => {
  const { mark, scopeUrl } = await import('../../src/control/mark.ts');
  expect(await mark('started')).toBe(false);
  expect(scopeUrl('a/b', 'http://127.0.0.1:1/mcp')).toBe('http://127.0.0.1:1/mcp');
  expect(() => scopeUrl('a')).toThrow('MCP_CHAOS_URL');
});
