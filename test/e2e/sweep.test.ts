/** Many seeds from the command line: what is found, made small and reproduced; killed, resumed, shared out. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { decodeSweep } from '../../src/sweep/log.ts';
import type { SweepReport } from '../../src/sweep/report.ts';
import { type CliOptions, type CliRun, root, runCli } from './harness/run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-sweep-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fixture = (name: string): string => join(root, 'test/e2e/fixtures/sweep', name);
const cli = (args: readonly string[], options: CliOptions = {}): Promise<CliRun> =>
  runCli(args, { cwd: folder, timeoutMs: 110_000, bare: true, ...options });
const reportIn = (path: string): SweepReport => JSON.parse(readFileSync(join(folder, path), 'utf8'));

/** What neither jobs nor shards nor a stop in between may change. */
const result = ({ coverage, findings, outcomes, runs, exitCode }: SweepReport) => ({
  coverage,
  outcomes,
  exitCode,
  findings: findings.map(({ id, seeds, count, fails }) => ({ id, seeds, count, fails })),
  runs: runs.map(({ seed, decisionsDigest, findings: own }) => ({ seed, decisionsDigest, own })),
});

describe('a client that fails where one fault comes after another', () => {
  const client = (name: string): string[] => ['node', join(root, 'test/clients/ward', name)];
  const env = { CALLS: '10', PARTS: '3', TIMEOUT_MS: '900', IDLE_MS: '300' };

  it('is found, shrunk from eight or more decisions to the two, replayed in one run, and fixed', async () => {
    const swept = await cli(
      ['sweep', '--profile', fixture('two-faults.yaml'), '--from', '3', '--seeds', '1', '--jobs', '2'].concat(
        '--client-timeout',
        '900',
        '--report',
        'json=two.json',
        '--',
        ...client('trusting.mjs'),
      ),
      { env },
    );
    expect(swept.code, swept.stderr).toBe(1);
    const report = reportIn('two.json');
    expect(report.coverage.faults.armed).toBeGreaterThanOrEqual(8);
    const { findings } = report;
    expect(findings.map(({ fault, outcome, seeds }) => ({ fault, outcome, seeds }))).toContainEqual({
      fault: 'skip-events',
      outcome: 'timed-out',
      seeds: [3],
    });
    expect(swept.stderr).toMatch(/ {2}\d+ → 2 faults in \d+ runs \(3 of 3 runs show it\)/);

    const cases = readdirSync(join(folder, '.mcp-chaos/cases'));
    const name = cases.find((one) => one.startsWith('skip-events-timed-out-'))!;
    const path = `.mcp-chaos/cases/${name}`;
    const text = readFileSync(join(folder, path), 'utf8');
    expect(text.match(/^ {2}- fault: .*$/gm)).toEqual(['  - fault: drop-stream', '  - fault: skip-events']);

    const again = await cli(['replay', path], { env });
    expect(again.stdout).toMatch(/^still failing {2}skip-events: timed-out/);
    expect(again.code).toBe(1);

    // Either of the two alone, and the other way round, is no failure of this client.
    const careful = await cli(['replay', path, '--prune', '--', ...client('careful.mjs')], { env });
    expect(careful.stdout).toMatch(/^fixed /);
    expect(careful.code).toBe(0);
    expect(existsSync(join(folder, path))).toBe(false);
  });

  it('that no longer sends those calls is said to, and its case stays', async () => {
    const path = join(folder, 'case.yaml');
    const run = ['format: 1', 'profile: two-faults', 'seed: "3"', 'contract: monotonic:stream'];
    const finding =
      'finding: { obligation: validates-resumed-cursor, level: CONTRACT, fault: skip-events, outcome: timed-out, method: tools/call, tool: count, shown: "", did: "" }';
    const decision =
      'decisions: [{ fault: skip-events, site: embedded/main/s1/tools%2Fcall/count/000000000000/1 }]';
    const rest = [
      'shows: { times: 3, runs: 3 }',
      'shrunk: { from: 8, runs: 9 }',
      'command: [node, gone.mjs]',
      'version: 0.1.0',
    ];
    writeFileSync(path, [...run, finding, decision, ...rest].join('\n'));
    const replay = await cli(['replay', path, '--prune', '--', 'node', fixture('quick.mjs')]);
    expect(replay.stdout).toMatch(/^no longer reachable .*000000000000/);
    expect(replay.code).toBe(2);
    expect(existsSync(path)).toBe(true);
  });
});

describe('six seeds of a quick suite', () => {
  const suite = ['--', 'node', fixture('quick.mjs')];
  const sweep = (...flags: readonly string[]): string[] => [
    'sweep',
    '--profile',
    fixture('quick.yaml'),
    '--seeds',
    '6',
    '--shrink',
    '0',
    '--fail-on',
    'undetermined',
    ...flags,
    ...suite,
  ];

  it('are the same sweep whether it was killed and resumed, or run as four shards and merged', async () => {
    const file = join(folder, 'whole.ndjson');
    const finished = (): readonly number[] =>
      existsSync(file) ? decodeSweep(readFileSync(file, 'utf8'), file).runs.map(({ seed }) => seed) : [];
    const killed = await cli(sweep('--result', file, '--jobs', '2'), {
      onStart({ kill }) {
        const timer = setInterval(() => {
          if (finished().length < 2) return;
          clearInterval(timer);
          kill('SIGKILL');
        }, 20);
        timer.unref();
      },
    });
    expect(killed.signal).toBe('SIGKILL');
    const before = finished();
    expect(before.length).toBeLessThan(6);

    const refused = await cli(sweep('--result', file));
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('there is a sweep already')]);

    const resumed = await cli(
      sweep('--result', file, '--resume', '--jobs', '2', '--report', 'json=whole.json'),
    );
    expect(resumed.stderr).toContain(`${before.length} of 6 seeds had already run`);
    expect([...finished()].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    // Nothing that was finished ran again: each seed stands in the file once, before and after.
    const lines = readFileSync(file, 'utf8').match(/"kind":"run-ended","seed":\d+/g);
    expect(new Set(lines).size).toBe(lines?.length);

    const shards = [1, 2, 3, 4].map((index) => `shard-${index}.ndjson`);
    for (const pair of [
      [0, 1],
      [2, 3],
    ]) {
      await Promise.all(
        pair.map((at) =>
          cli(sweep('--result', shards[at]!), {
            env: { JOB_COMPLETION_INDEX: String(at), JOB_COMPLETIONS: '4' },
          }),
        ),
      );
    }
    const merged = await cli(['merge', ...shards, '--report', 'json=merged.json']);
    const [whole, four] = [reportIn('whole.json'), reportIn('merged.json')];
    expect(whole.coverage.faults.applied).toBeGreaterThan(0);
    expect(whole.findings.length).toBeGreaterThan(0);
    expect(result(four)).toEqual(result(whole));
    expect(merged.code).toBe(resumed.code);

    const twice = await cli(['merge', shards[0]!, shards[0]!]);
    expect([twice.code, twice.stderr]).toEqual([64, expect.stringContaining('is in two of the files')]);
  });

  it('end at the lowest seed that fails, however many jobs ran ahead, and go no further', async () => {
    const whole = reportIn('whole.json');
    // Not the very first seed, or nothing would be shown.
    const first = Math.min(...whole.findings.filter(({ fails }) => fails).flatMap(({ seeds }) => seeds));
    expect(first).toBeGreaterThan(1);
    const stopped = await cli(sweep('--stop-on', 'first', '--jobs', '4', '--report', 'json=first.json'));
    expect(stopped.code).toBe(1);
    expect(reportIn('first.json').runs.map(({ seed }) => seed)).toEqual(
      Array.from({ length: first }, (_, at) => at + 1),
    );
  });

  it('are interrupted by Ctrl+C with what there is, exit 130', async () => {
    const file = join(folder, 'interrupted.ndjson');
    const stopped = await cli(sweep('--result', file), {
      onStart({ kill }) {
        const timer = setInterval(() => {
          if (!existsSync(file) || !readFileSync(file, 'utf8').includes('"kind":"run-ended"')) return;
          clearInterval(timer);
          kill('SIGINT');
        }, 20);
        timer.unref();
      },
    });
    expect(stopped.code, stopped.stderr).toBe(130);
    expect(stopped.stdout).toMatch(/exit 130.*interrupted; go on with --resume/);
    expect(decodeSweep(readFileSync(file, 'utf8'), file).ended?.reason).toBe('interrupted');
  });
});

describe.skipIf(process.platform === 'win32')('a run that takes its process with it', () => {
  it('is lost alone: the others share one, and nothing is left behind', async () => {
    // Whoever runs the suite, a line each: the control, then the seeds.
    const suite = `echo $PPID >> wrappers; test "$MCP_CHAOS_SEED" = 3 && kill -KILL $PPID; exec node ${fixture('quick.mjs')}`;
    const mark = `mark-${process.pid}`;
    const own = mkdtempSync(join(folder, 'lost-'));
    const swept = await cli(
      ['sweep', '--profile', fixture('quick.yaml'), '--seeds', '5', '--shrink', '0'].concat(
        ['--result', 'lost.ndjson', '--report', 'json=lost.json'],
        ['--', 'sh', '-c', suite],
      ),
      { cwd: own, env: { MCP_CHAOS_TEST: mark } },
    );
    const { runs }: SweepReport = JSON.parse(readFileSync(join(own, 'lost.json'), 'utf8'));
    expect(runs.filter(({ exitCode }) => exitCode === 70).map(({ seed }) => seed)).toEqual([3]);
    expect(swept.code, swept.stderr).toBe(3);

    const wrappers = readFileSync(join(own, 'wrappers'), 'utf8').trim().split('\n');
    // Seed 3 was the fourth run of its process, so it was tried again in one that had no other before it.
    const nth = [...new Set(wrappers)];
    expect(wrappers.map((pid) => nth.indexOf(pid))).toEqual([0, 0, 0, 0, 1, 2, 2]);
    if (existsSync('/proc')) expect(processesWith(mark)).toEqual([]);
  });
});

/** Command lines of live processes that have it in their environment. */
function processesWith(mark: string): readonly string[] {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && read(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '));
}

describe('a control that fails makes the sweep void', () => {
  it.each([
    ['the command fails by itself', ['sh', '-c', 'exit 7'], 3, 'with nothing injected: it exited with 7'],
    ['it never connects', ['true'], 3, 'never connected to an MCP server'],
  ])('%s', async (_name, command, code, message) => {
    const run = await cli(['sweep', '--profile', 'desync', '--seeds', '3', '--', ...command]);
    expect(run.code).toBe(code);
    expect(run.stdout.replace(/\s+/g, ' ')).toContain(message);
    expect(run.stdout).toContain('0 of 3 seeds have run');
  });
});

describe('--check-determinism', () => {
  const check = (script: string): Promise<CliRun> =>
    cli(['--profile', fixture('quick.yaml'), '--seed', '5', '--check-determinism', '--', 'sh', '-c', script]);

  it('says that the same traffic got the same decisions', async () => {
    const run = await check(`exec node ${fixture('quick.mjs')}`);
    expect(run.stderr).toMatch(/deterministic: both runs made the same [1-9]\d* decisions/);
    expect(run.code).not.toBe(3);
  });

  it('shows the first site at which two runs part, and what they had sent there', async () => {
    const once = join(folder, 'once');
    const run = await check(
      `test -e ${once} && export CALLS=1; touch ${once}; exec node ${fixture('quick.mjs')}`,
    );
    expect(run.code).toBe(3);
    expect(run.stderr).toMatch(
      /not deterministic: the runs part at embedded\/main\/s1\/tools%2Fcall\/count\//,
    );
    expect(run.stderr).toContain('the second run did not send this call');
    expect(run.stderr).toMatch(/^ {2}> .*tools\/call count/m);
  });
});
