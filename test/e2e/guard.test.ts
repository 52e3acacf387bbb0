/** The guard in its recipes, through the real command line: fault-free nothing changes, under faults work gets done. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startEverything } from './harness/everything.ts';
import { runCli } from './harness/run-cli.ts';

/** Far beyond what a loaded machine needs, so that nothing here ends by it. */
const timeoutMs = '9000';
const recipes = ['sdk-v1', 'sdk-v2', 'plain-fetch', 'ai-sdk'];

const runRecipe = (recipe: string, profile: string) =>
  runCli(
    [
      ...['--profile', profile, '--seed', '3', '--client-timeout', timeoutMs, '--'],
      ...['node', `examples/guard/${recipe}.mjs`],
    ],
    { env: { TIMEOUT_MS: timeoutMs } },
  );

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-guard-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every session's second call is resumed at 17, so the errands take several sessions. */
function secondCallRegresses(): string {
  const path = join(folder, 'second-call-regresses.yaml');
  const rule = {
    fault: 'regress-cursor',
    params: { after: 2, to: 17 },
    when: { method: 'tools/call' },
    nth: 2,
  };
  // JSON is YAML.
  writeFileSync(
    path,
    JSON.stringify({
      name: 'second-call-regresses',
      description: 'One regression in each session.',
      contract: 'monotonic:stream',
      ids: { first: 1001 },
      rules: [rule],
    }),
  );
  return path;
}

describe.each(recipes)('%s', (recipe) => {
  test.each(['calm', 'reconnect'])('under %s all errands are done and nobody is alarmed', async (profile) => {
    const { code, stdout, report } = await runRecipe(recipe, profile);
    expect(stdout).toContain('0 desync(s) told by the guard, 0 errand(s) failed');
    expect(report?.coverage.falseAlarms.count).toBe(0);
    expect(report?.suite.code).toBe(0);
    expect(code).toBe(0);
  });

  test('under a regression in each session all errands are done, and no charge twice', async () => {
    const { stdout, report } = await runRecipe(recipe, secondCallRegresses());
    expect(stdout).toMatch(/regression: cursor regression: last_seen=\d+, first_replayed=17/);
    expect(stdout).toMatch(/[1-9]\d* desync\(s\) told by the guard, 0 errand\(s\) failed/);
    expect(stdout.match(/was charged 1 time/g)).toHaveLength(2);
    const { detected, total } = report!.coverage.detection;
    expect(total).toBeGreaterThan(0);
    expect(detected).toBe(total);
  });
});

describe('over server-everything, fault-free, a client behind the guard', () => {
  test.each([
    ['sdk 1.32.2', 'sdk-v1'],
    ['client 2.4.0', 'sdk-v2'],
  ])('%s has all its answers', async (_, client) => {
    const everything = await startEverything();
    try {
      const { stdout, stderr, code } = await runCli(
        [
          ...['--profile', 'calm', '--seed', '1', '--upstream', everything.url, '--'],
          ...['node', '--import', './test/e2e/fixtures/guarded.mjs', `test/clients/official/${client}.mjs`],
        ],
        {
          env: {
            TOOL: 'echo',
            ARGS: '{"message":"hello"}',
            CALLS: '5',
            PARALLEL: '1',
            TIMEOUT_MS: timeoutMs,
          },
        },
      );
      const said = JSON.parse(stdout) as { readonly calls: readonly { readonly ok: boolean }[] };
      expect(said.calls.map(({ ok }) => ok)).toEqual([true, true, true, true, true]);
      expect(stderr).not.toContain('guard:');
      expect(code).toBe(0);
    } finally {
      await everything.close();
    }
  });
});
