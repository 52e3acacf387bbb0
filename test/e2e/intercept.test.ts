/** Suites that know nothing of us: the command alone brings their traffic to the proxy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/history/fact.ts';
import { decisionsDigest } from '../../src/schedule/decisions-digest.ts';
import { type CliRun, root, runCli } from './harness/run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos intercept-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function profileFile(name: string, rules: readonly unknown[]): string {
  const path = join(folder, `${name}.yaml`);
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ name, description: 'A test.', contract: 'monotonic:stream', rules }));
  return path;
}

const factsOf = (run: CliRun): readonly Fact[] => run.journal as unknown as readonly Fact[];

describe('parallel vitest files, each with a server of its own', () => {
  const quick = [
    {
      fault: 'drop-stream',
      params: { after: { min: 1, max: 2 } },
      when: { method: 'tools/call' },
      chance: 0.4,
    },
    { fault: 'wrong-content-type', when: { method: 'tools/call' }, chance: 0.5 },
  ];
  const name = (number: number): string => `file-${String(number).padStart(2, '0')}.spec.mjs`;

  async function suite(files: number, pool: 'threads' | 'forks'): Promise<CliRun> {
    const project = mkdtempSync(join(folder, 'suite-'));
    const suitePath = join(root, 'test/e2e/fixtures/own-servers/suite.mjs');
    for (let number = 1; number <= files; number += 1) {
      const code = `import { suiteWithItsOwnServer } from ${JSON.stringify(suitePath)};\nsuiteWithItsOwnServer(${number});\n`;
      writeFileSync(join(project, name(number)), code);
    }
    const config = join(project, 'vitest.config.mjs');
    const test = {
      root: project,
      include: ['*.spec.mjs'],
      pool,
      isolate: false,
      maxWorkers: 3,
      testTimeout: 20_000,
      // What a suite writes as 'mcp-chaos/vitest'; nothing else in it knows of us.
      reporters: ['default', join(root, 'src/control/vitest.ts')],
    };
    writeFileSync(config, `export default ${JSON.stringify({ test })};`);
    const vitest = [
      process.execPath,
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      config,
    ];
    return runCli(['--profile', profileFile('quick', quick), '--seed', '5', '--', ...vitest], {
      timeoutMs: 110_000,
    });
  }

  /** Decisions by file, from the facts. */
  function plans(run: CliRun): Map<string, readonly string[]> {
    const plans = new Map<string, string[]>();
    for (const fact of factsOf(run)) {
      if (fact.kind !== 'decision') continue;
      const file = /file-\d\d\.spec\.mjs/.exec(fact.site)![0];
      plans.set(file, [
        ...(plans.get(file) ?? []),
        `${fact.site} ${fact.fault} ${JSON.stringify(fact.params)}`,
      ]);
    }
    return new Map([...plans].map(([file, plan]) => [file, plan.sort()]));
  }

  let once: CliRun;
  beforeAll(async () => {
    once = await suite(20, 'threads');
  }, 120_000);

  it('have every call in the scope of its test, and nothing else', () => {
    expect(once.report?.suite.code, once.stderr).toBe(0);
    const scopes = new Map<number, string>();
    for (const fact of factsOf(once)) if (fact.kind === 'request') scopes.set(fact.exchange, fact.scope);
    const calls = factsOf(once).flatMap((fact) => {
      if (fact.kind !== 'request-body' || !('text' in fact.body)) return [];
      const { method, params } = JSON.parse(fact.body.text);
      return method === 'tools/call' ? [[scopes.get(fact.exchange), params.arguments.n]] : [];
    });
    const tests = ['a server > of its own', 'a server > asked twice'];
    const expected = Array.from({ length: 20 }, (_, index) =>
      tests.map((test) => [`${name(index + 1)} > ${test}`, index + 1]),
    ).flat();
    const distinct = [...new Set(calls.map((call) => JSON.stringify(call)))].sort();
    expect(distinct).toEqual(expected.map((call) => JSON.stringify(call)).sort());
    expect([
      ...new Set(factsOf(once).flatMap((fact) => (fact.kind === 'request' ? [fact.upstream] : []))),
    ]).toEqual(['server-1']);
  });

  it('have the marks of each test in the same scope', () => {
    const marks = factsOf(once).flatMap((fact) =>
      fact.kind === 'mark' && fact.phase === 'resolved' ? [fact.scope!] : [],
    );
    expect(marks).toHaveLength(60);
    const calls = factsOf(once).flatMap((fact) => (fact.kind === 'request' ? [fact.scope] : []));
    expect([...new Set(calls)].filter((scope) => !marks.includes(scope))).toEqual([]);
  });

  it('have each finding named after its test', () => {
    const findings = once.report?.findings ?? [];
    expect(findings.length).toBeGreaterThan(20);
    for (const { scope } of findings) expect(scope).toMatch(/^file-\d\d\.spec\.mjs > a server > /);
  });

  it('leave alone what is no MCP, and say how much', () => {
    expect(factsOf(once).filter(({ kind }) => kind === 'left-alone')).toMatchObject([
      { reason: 'direct', count: 20 },
    ]);
    expect(once.stderr).toContain('not MCP, and sent direct: 20 requests of the command');
  });

  it('have the same decisions again, in other processes and with a file more', async () => {
    const more = await suite(21, 'forks');
    const added = plans(more).get(name(21));
    expect(added?.length).toBeGreaterThan(0);
    const twenty = new Map(plans(more));
    twenty.delete(name(21));
    expect(twenty).toEqual(plans(once));
    const decisions = more.report!.decisions.filter(({ site }) => !site.includes(name(21)));
    expect(decisionsDigest(decisions)).toBe(once.report?.decisionsDigest);
    for (const run of [once, more])
      expect(factsOf(run).filter(({ kind }) => kind === 'not-deterministic')).toEqual([]);
  }, 120_000);
});
