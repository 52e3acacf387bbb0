/** Test runners and HTTP libraries as they are published: their traffic comes by, in the scope of its test. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Fact } from '../../src/history/fact.ts';
import { type CliRun, runCli } from '../e2e/harness/run-cli.ts';
import { install } from './packages.ts';

/** Runs the command in the folder of the runners' suites. */
async function wrapped(...command: readonly string[]): Promise<CliRun> {
  const home = await install('runners');
  const run = await runCli(
    ['--profile', 'calm', '--seed', '1', '--', 'env', '-C', join(home, 'runners'), ...command],
    { timeoutMs: 120_000, env: { PATH: `${join(home, 'node_modules/.bin')}:${process.env.PATH}` } },
  );
  expect(run.code, run.stdout + run.stderr).toBe(0);
  return run;
}

/** Whose requests came by, in which scope; sorted, for files run at the same time. */
function scopes(run: CliRun): readonly string[] {
  const facts = run.journal as unknown as readonly Fact[];
  const bodies = new Map(
    facts.flatMap((fact) => (fact.kind === 'request-body' ? [[fact.exchange, fact.body]] : [])),
  );
  return facts
    .flatMap((fact) => {
      if (fact.kind !== 'request') return [];
      const body = bodies.get(fact.exchange);
      const name = body !== undefined && 'text' in body && JSON.parse(body.text).params.clientInfo.name;
      return [`${name}: ${fact.scope}`];
    })
    .sort();
}

const leftAlone = (run: CliRun): unknown =>
  run.journal.filter(({ kind }) => kind === 'left-alone').map(({ reason, count }) => `${reason} ${count}`);

it.each([[[]], [['--runInBand']]])('jest %s', async (flags) => {
  const run = await wrapped('jest', '--config', 'jest.config.cjs', ...flags);
  const of = (file: string, suite: string): readonly string[] => [
    `a hook: ${file}`,
    `before each: ${file} > ${suite} by fetch`,
    `by fetch: ${file} > ${suite} by fetch`,
    `by http: ${file} > by http`,
  ];
  expect(scopes(run)).toEqual(
    [...of('one.jest.cjs', 'a suite'), ...of('two.jest.cjs', 'another suite')].sort(),
  );
  expect(leftAlone(run)).toEqual(['fake-timers 2']);
});

it.each([[[]], [['--parallel']]])('mocha %s', async (flags) => {
  const run = await wrapped('mocha', ...flags, 'one.mocha.mjs', 'two.mocha.mjs');
  const of = (file: string, suite: string): readonly string[] => [
    `a hook: ${file}`,
    ...['before each', 'by fetch', 'after each'].map((name) => `${name}: ${file} > ${suite} > by fetch`),
  ];
  expect(scopes(run)).toEqual(
    [...of('one.mocha.mjs', 'a suite'), ...of('two.mocha.mjs', 'another suite')].sort(),
  );
});

it.each(
  ['vitest-3', 'vitest-4'].flatMap((version) =>
    ['threads', 'forks', 'vmThreads', 'vmForks'].map((pool) => [version, pool] as const),
  ),
)('%s, pool %s', async (version, pool) => {
  const vitest = ['node', `../node_modules/${version}/vitest.mjs`, 'run', '--root', '.', '--pool', pool];
  const run = await wrapped(...vitest);
  const of = (file: string, suite: string): readonly string[] => [
    `a hook: ${file}`,
    `at the same time: ${file}`,
    `before each: ${file} > ${suite} > by fetch`,
    `by fetch: ${file} > ${suite} > by fetch`,
  ];
  expect(scopes(run)).toEqual(
    [...of('one.vitest.mjs', 'a suite'), ...of('two.vitest.mjs', 'another suite')].sort(),
  );
  expect(leftAlone(run)).toEqual(['fake-timers 2']);
});

it.each([
  ['node:test', ['node', '--test', 'one.node-test.mjs'], 'one.node-test.mjs'],
  ['ava', ['ava', 'one.ava.mjs'], 'main'],
  ['tsx', ['tsx', 'one.script.ts'], 'one.script.ts'],
] as const)('%s', async (_name, command, scope) => {
  expect(scopes(await wrapped(...command))).toEqual([`by fetch: ${scope}`]);
});

it('HTTP libraries', async () => {
  const run = await wrapped('node', 'libraries.mjs');
  const undici = [5, 6, 7].flatMap((major) => [`undici${major} fetch`, `undici${major} request`]);
  const names = ['axios', 'got', 'node-fetch', 'superagent', ...undici];
  expect(scopes(run)).toEqual(names.map((name) => `${name}: libraries.mjs`).sort());
  expect(leftAlone(run)).toEqual(['direct 1']);
});
