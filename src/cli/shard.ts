/** Which part of the seeds is ours: by `--shard`, or by the job that we are one of. */
import { ChaosError } from '../errors.ts';
import type { Shard } from '../sweep/record.ts';
import { wholeSweep } from '../sweep/shard.ts';
import type { Arguments } from './command.ts';
import { readText } from './read.ts';

interface Engine {
  readonly name: string;
  readonly index: string;
  readonly count: string;
  /** The number of its first job. */
  readonly first: 0 | 1;
}

/**
 * Engines that number the jobs of one split. A GitHub matrix and a Kubernetes Job say how many there are only
 * where the workflow passes it on.
 */
export const engines: readonly Engine[] = [
  // https://docs.gitlab.com/ci/jobs/job_control/#parallelize-large-jobs
  { name: 'GitLab', index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', first: 1 },
  // https://circleci.com/docs/parallelism-faster-jobs/
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', first: 0 },
  // https://buildkite.com/docs/pipelines/environment-variables
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', count: 'BUILDKITE_PARALLEL_JOB_COUNT', first: 0 },
  // https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/; the count is passed by the manifest.
  { name: 'Kubernetes', index: 'JOB_COMPLETION_INDEX', count: 'JOB_COMPLETIONS', first: 0 },
];

export function readShard(args: Arguments, environment: NodeJS.ProcessEnv = process.env): Shard {
  const text = readText(args, 'shard');
  if (text === undefined) return shardOfJob(environment);
  const match = /^(\d+)\/(\d+)$/.exec(text);
  const shard = { index: Number(match?.[1]), count: Number(match?.[2]) };
  if (match === null || !isShard(shard)) {
    throw new ChaosError('usage', `--shard: expected i/n with i from 1 to n, such as 2/4, found "${text}"`, {
      hint: 'See mcp-chaos sweep --help.',
    });
  }
  return shard;
}

/** @throws ChaosError `usage` where the variables make no sense: a wrong part would be run in silence. */
function shardOfJob(environment: NodeJS.ProcessEnv): Shard {
  for (const { name, index, count, first } of engines) {
    const [i, n] = [environment[index], environment[count]];
    if (i === undefined || i === '') continue;
    if (n === undefined || n === '') {
      // Every pod of an indexed Job has the index, also those that do not mean to split.
      throw new ChaosError('usage', `${index} is ${i}, and ${count} is not set: how many parts are there?`, {
        hint: `Set ${count} in the ${name} job, or give --shard ${Number(i) - first + 1}/<n>, or --shard 1/1.`,
      });
    }
    const shard = { index: Number(i) - first + 1, count: Number(n) };
    if (!isShard(shard)) {
      throw new ChaosError('usage', `${index} is ${i} and ${count} is ${n}: that is no part of a whole`, {
        hint: `${name} counts from ${first}. Give --shard i/n to say it yourself.`,
      });
    }
    return shard;
  }
  return wholeSweep;
}

function isShard({ index, count }: Shard): boolean {
  return (
    Number.isSafeInteger(index) && Number.isSafeInteger(count) && count >= 1 && index >= 1 && index <= count
  );
}
