/** The promise: the same seed, profile and traffic give the same decisions, however the traffic interleaves. */
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/history/fact.ts';
import { arm } from '../../src/schedule/arm.ts';
import { explain } from '../../src/schedule/explain.ts';
import { startEmbeddedServer } from '../../src/upstream/embedded.ts';
import { runClient } from '../clients/run-client.ts';
import { type Observed, profile, proxyTo } from '../proxy/kit.ts';
import { type CliRun, runCli } from './harness/run-cli.ts';

const vitest = [
  'node',
  'node_modules/vitest/vitest.mjs',
  'run',
  '--config',
  'test/e2e/fixtures/scoped/vitest.config.mjs',
];

/** What was decided, in an order of its own, from the facts and not from the digest that is checked. */
function plan(facts: readonly unknown[]): string[] {
  return (facts as readonly Fact[])
    .filter((fact) => fact.kind === 'decision')
    .map(({ fault, site, params }) => `${site} ${fault} ${JSON.stringify(params)}`)
    .sort();
}

describe('the same seed', () => {
  // Long enough for all reconnects of a call to be over on a busy machine: what the suite sends must not
  // depend on how fast it is.
  const timeoutMs = '2500';
  const wrapped = (): Promise<CliRun> =>
    runCli(['--profile', 'desync', '--seed', '7', '--client-timeout', timeoutMs, '--', ...vitest], {
      env: { TIMEOUT_MS: timeoutMs },
    });

  it('gives the same plan to four test files that run at the same time, each in its scope', async () => {
    const [one, two] = [await wrapped(), await wrapped()];
    const scopes = new Set(one.journal.filter(({ kind }) => kind === 'request').map(({ scope }) => scope));
    expect([...scopes].sort()).toEqual(['alpha', 'beta', 'delta', 'gamma']);
    expect(plan(one.journal).length).toBeGreaterThan(4);
    expect(plan(two.journal)).toEqual(plan(one.journal));
    expect(two.report?.decisionsDigest).toBe(one.report?.decisionsDigest);
    expect(one.journal.filter(({ kind }) => kind === 'not-deterministic')).toEqual([]);
  });
});

describe('twenty seeds of a suite of twelve calls', () => {
  /** Twelve calls at once, of a client that takes everything as it comes. */
  async function suite(seed: number): Promise<Observed> {
    const upstream = await startEmbeddedServer();
    const proxy = await proxyTo(upstream.url, { profile: profile('desync'), seed: String(seed) });
    try {
      const env = { CALLS: '12', PARALLEL: '1', TIMEOUT_MS: '4000', PARTS: '3' };
      await runClient('ward/deaf.mjs', { ...env, MCP_CHAOS_URL: proxy.url });
      return proxy;
    } finally {
      await proxy.close();
      await upstream.close();
    }
  }

  it('are twenty plans, and apply every fault of desync at least once', async () => {
    const runs: Observed[] = [];
    for (let seed = 1; seed <= 20; seed += 2) {
      runs.push(...(await Promise.all([suite(seed), suite(seed + 1)])));
    }
    expect(new Set(runs.map(({ facts }) => plan(facts).join('\n'))).size).toBe(20);

    // What `explain` says of a run's own traffic is what the run decided.
    for (const [at, { facts }] of runs.entries()) {
      const explained = explain(facts, 'monotonic:stream', (subject) =>
        arm(profile('desync'), String(at + 1), subject),
      );
      const decided = explained.flatMap(({ decision }) => decision ?? []);
      expect(decided.map(({ id, params }) => ({ id, params }))).toEqual(
        facts.filter((fact) => fact.kind === 'decision').map(({ id, params }) => ({ id, params })),
      );
    }

    const applied = runs.flatMap(({ of }) => {
      const done = new Set(of('applied').flatMap(({ decision, prelude }) => (prelude ? [] : [decision])));
      return of('decision').flatMap(({ id, fault }) => (done.has(id) ? [fault] : []));
    });
    const wanted = profile('desync').rules.map(({ fault }) => fault);
    expect([...new Set(applied)].sort()).toEqual([...new Set(wanted)].sort());
    expect(runs.flatMap(({ of }) => of('internal-error'))).toEqual([]);
  });
});
