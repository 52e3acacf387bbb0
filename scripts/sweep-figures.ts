/**
 * What a sweep costs beside its suite, how hung runs overlap, and whether shards change the result:
 * `npm run build && npx tsx scripts/sweep-figures.ts [seeds]`. The figures stand in docs/sweep.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SweepReport } from '../src/sweep/report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'bin/mcp-chaos.js');
const fixture = (name: string): string => join(root, 'test/e2e/fixtures/sweep', name);
const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-figures-'));
const seeds = Number(process.argv[2] ?? 200);

interface Swept {
  readonly wallMs: number;
  readonly report: SweepReport;
}

function timed(args: readonly string[], env: Readonly<Record<string, string>> = {}): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status === null || status > 3)
    throw new Error(`mcp-chaos ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - startedAt;
}

/** Processor time of a command and all that it waited for, in ms (proc(5), stat: cutime and cstime in ticks of 10 ms). */
function worked(args: readonly string[]): number {
  const ticks = (): number => {
    const [, ...fields] = readFileSync('/proc/self/stat', 'utf8').split(') ');
    const numbers = fields.join(') ').split(' ');
    return Number(numbers[13]) + Number(numbers[14]);
  };
  const atStart = ticks();
  timed(args);
  return (ticks() - atStart) * 10;
}

function sweep(name: string, flags: readonly string[], env: Readonly<Record<string, string>>): Swept {
  const files = ['--result', `${name}.ndjson`, '--report', `json=${name}.json`, '--shrink', '0'];
  const wallMs = timed(
    [
      'sweep',
      '--profile',
      fixture('quick.yaml'),
      '--seeds',
      String(seeds),
      ...files,
      ...flags,
      '--',
      'node',
      fixture('quick.mjs'),
    ],
    env,
  );
  return { wallMs, report: read(`${name}.json`) };
}

const read = (name: string): SweepReport => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const result = ({ coverage, outcomes, findings, runs, exitCode }: SweepReport): string =>
  JSON.stringify({
    coverage,
    outcomes,
    exitCode,
    findings: findings.map(({ id, seeds: of, count, fails }) => ({ id, of, count, fails })),
    runs: runs.map(({ seed, decisionsDigest }) => ({ seed, decisionsDigest })),
  });

/** So that the suite takes about a second, most of it asleep. */
const suite = { SLEEP_MS: '800' };

try {
  console.log(`${seeds} seeds, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`);
  const starts = (): readonly number[] => Array.from({ length: 11 }, () => timed(['--version']));
  const before = starts();
  const whole = sweep('whole', [], suite);
  // The machine may not be the same afterwards.
  const start = median([...before, ...starts()]);
  const { runs } = whole.report;
  const [inRuns, inSuite] = [
    sum(runs.map((run) => run.durationMs)),
    sum(runs.map((run) => run.suite.durationMs!)),
  ];
  const rest = inRuns / runs.length - inSuite / runs.length - start;
  console.log(`jobs 1: ${seconds(whole.wallMs)} in all`);
  console.log(
    `  a run: ${seconds(inRuns / runs.length)}, of it the suite ${seconds(inSuite / runs.length)}, the start of a process (--version) ${seconds(start)}, the rest ${seconds(rest)}`,
  );
  console.log(
    `  not the suite: ${percent(1 - inSuite / whole.wallMs)}; beyond process start: ${percent(rest / (inSuite / runs.length))} of the suite`,
  );
  console.log(`  the sweep itself, beside its runs: ${seconds(whole.wallMs - inRuns)}`);

  const idle = [
    '--profile',
    fixture('quick.yaml'),
    '--seed',
    '1',
    '--journal',
    'idle.ndjson',
    '--',
    'sleep',
    '0.8',
  ];
  console.log(
    `processor time: ${seconds(median(Array.from({ length: 11 }, () => worked(idle))))} a run whose suite only sleeps, ${seconds(median(Array.from({ length: 11 }, () => worked(['--version']))))} the start of a process`,
  );

  const none = sweep('none', ['--jobs', '8'], suite);
  const half = sweep('half', ['--jobs', '8'], { ...suite, HANG_MS: '5000' });
  console.log(
    `jobs 8: ${seconds(none.wallMs)}; with every other seed hanging for 5 s ${seconds(half.wallMs)}, ${(half.wallMs / none.wallMs).toFixed(2)} times that (one after another it would be ${seconds(whole.wallMs + (seeds / 2) * 5000)})`,
  );

  const shards = [1, 2, 3, 4].map((index) => `shard-${index}`);
  for (const [at, name] of shards.entries()) sweep(name, ['--jobs', '4', '--shard', `${at + 1}/4`], suite);
  timed(['merge', ...shards.map((name) => `${name}.ndjson`), '--report', 'json=merged.json']);
  for (const [name, other] of [
    ['four shards merged', read('merged.json')],
    ['eight jobs', none.report],
  ] as const) {
    const same = result(other) === result(whole.report);
    console.log(
      `${name}: ${same ? 'the same coverage, findings and decisions as one process with one job' : 'NOT the same'}`,
    );
    if (!same) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
