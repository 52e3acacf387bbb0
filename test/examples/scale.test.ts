/** The files that people copy: valid for the engine that reads them, and they say the same as our flags. */
import { readFileSync } from 'node:fs';
import { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { Job } from 'kubernetes-models/batch/v1';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { options } from '../../src/cli/options.ts';
import { readShard } from '../../src/cli/shard.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../examples/scale/${name}`, import.meta.url), 'utf8');

/** Flags of ours in a script: up to the `--` before the suite's own command. */
function unknownFlags(script: string): readonly string[] {
  const known: readonly string[] = options.map(({ name }) => `--${name}`);
  const lines = script
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.includes('mcp-chaos'));
  expect(lines.length).toBeGreaterThan(0);
  return lines
    .flatMap((line) => line.split(' -- ')[0]!.split(/\s+/))
    .filter((word) => word.startsWith('--') && !known.includes(word));
}

describe('the GitHub Actions workflow', () => {
  async function problems(content: string): Promise<readonly string[]> {
    const { context, value } = parseWorkflow({ name: 'chaos.yaml', content }, new NoOperationTraceWriter());
    if (value !== undefined) await convertWorkflowTemplate(context, value);
    return context.errors.getErrors().map(({ message }) => message);
  }

  test('is valid by GitHub’s own parser, which would say if it were not', async () => {
    expect(await problems(read('github-actions.yaml'))).toEqual([]);
    const broken = read('github-actions.yaml').replace('timeout-minutes:', 'timeout-minuets:');
    expect((await problems(broken)).join('\n')).toContain('timeout-minuets');
    const unknown = read('github-actions.yaml').replace('strategy.job-total', 'strategy.jobtotal(');
    expect(await problems(unknown)).not.toEqual([]);
  });

  test('runs each shard once, with flags that there are', () => {
    const { jobs } = parse(read('github-actions.yaml'));
    const { shard } = jobs.sweep.strategy.matrix;
    expect(shard).toEqual(Array.from({ length: shard.length }, (_, at) => at + 1));
    const scripts = [...jobs.sweep.steps, ...jobs.merge.steps].map(({ run }) => run ?? '').join('\n');
    expect(unknownFlags(scripts)).toEqual([]);
    expect(scripts).toContain(`--shard \${{ matrix.shard }}/\${{ strategy.job-total }}`);
  });
});

describe('the Kubernetes Job', () => {
  const manifest = () => parse(read('kubernetes-job.yaml'));

  test('is valid by the schema of batch/v1, which would say if it were not', () => {
    expect(() => new Job(manifest()).validate()).not.toThrow();
    const broken = manifest();
    broken.spec.completions = 'four';
    expect(() => new Job(broken).validate()).toThrow(/completions/);
    const nameless = manifest();
    delete nameless.spec.template.spec.containers[0].name;
    expect(() => new Job(nameless).validate()).toThrow(/name/);
  });

  test('tells each pod how many there are, and its index makes a part of the whole', () => {
    const { spec } = manifest();
    expect([spec.completionMode, spec.parallelism]).toEqual(['Indexed', spec.completions]);
    const [{ env, args }] = spec.template.spec.containers;
    const variables = Object.fromEntries(
      env.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    const shards = Array.from({ length: spec.completions }, (_, index) =>
      readShard({}, { ...variables, JOB_COMPLETION_INDEX: String(index) }),
    );
    expect(shards).toEqual(
      Array.from({ length: spec.completions }, (_, at) => ({ index: at + 1, count: spec.completions })),
    );
    expect(unknownFlags(args.join('\n'))).toEqual([]);
  });
});
