/** Which part of the seeds a job runs, by its flag or by what its engine says. */
import { describe, expect, test } from 'vitest';
import { readShard } from '../../src/cli/shard.ts';

const of = (environment: Record<string, string>, shard?: string) =>
  readShard(shard === undefined ? {} : { shard }, environment);

test('the whole, where nothing says otherwise', () => {
  expect(of({})).toEqual({ index: 1, count: 1 });
});

test('the flag goes before the environment', () => {
  expect(of({ CI_NODE_INDEX: '1', CI_NODE_TOTAL: '3' }, '2/4')).toEqual({ index: 2, count: 4 });
});

describe('engines count from 0 or from 1, we from 1', () => {
  test.each([
    ['GitLab', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' }, 2, 3],
    ['GitLab without parallel', { CI_NODE_TOTAL: '1' }, 1, 1],
    ['CircleCI', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '4' }, 1, 4],
    ['Buildkite', { BUILDKITE_PARALLEL_JOB: '4', BUILDKITE_PARALLEL_JOB_COUNT: '5' }, 5, 5],
    ['Kubernetes', { JOB_COMPLETION_INDEX: '0', JOB_COMPLETIONS: '2' }, 1, 2],
  ])('%s', (_name, environment, index, count) => {
    expect(of(environment as Record<string, string>)).toEqual({ index, count });
  });
});

describe('nonsense is refused, and not run as another part', () => {
  test.each(['0/4', '5/4', '1/0', '1', 'a/b', '1/2/3', '-1/2'])('--shard %s', (shard) => {
    expect(() => of({}, shard)).toThrow(`found "${shard}"`);
  });

  test('an index without a count', () => {
    expect(() => of({ JOB_COMPLETION_INDEX: '1' })).toThrow('JOB_COMPLETIONS is not set');
  });

  test('an index beyond the count', () => {
    expect(() => of({ CIRCLE_NODE_INDEX: '4', CIRCLE_NODE_TOTAL: '4' })).toThrow('no part of a whole');
  });
});
