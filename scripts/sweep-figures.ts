/**
 * What a sweep costs beside its suite, how hung runs overlap, and whether shards change the result:
 * `npm run build && npx tsx scripts/sweep-figures.ts [seeds]`. The figures stand in docs/sweep.md.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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

/** Processor time of all that was waited for so far, in ms (proc(5), stat: cutime and cstime in ticks of 10 ms). */
function worked(): number {
  const [, ...fields] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const numbers = fields.join(') ').split(' ');
  return (Number(numbers[13]) + Number(numbers[14])) * 10;
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
const milliseconds = (ms: number): string => `${Math.round(ms)} ms`;
const percent = (part: number): string => `${(part * 100).toFixed(1)} %`;
const result = ({ coverage, outcomes, findings, runs, exitCode }: SweepReport): string =>
  JSON.stringify({
    coverage,
    outcomes,
    exitCode,
    findings: findings.map(({ id, seeds: of, count, fails }) => ({ id, of, count, fails })),
    runs: runs.map(({ seed, decisionsDigest }) => ({ seed, decisionsDigest })),
  });

/** So that the suite takes about a second, most of it asleep, and a loaded machine changes nothing but its time. */
const suite = { SLEEP_MS: '800', TIMEOUT_MS: '60000' };

/** What the suite takes by itself against a server that is there already, in ms. */
async function alone(): Promise<number> {
  const server = spawn(process.execPath, [program, 'serve'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [said] = (await once(server.stderr, 'data')) as [Buffer];
  const env = { ...process.env, ...suite, MCP_CHAOS_URL: /http:\S+\/mcp/.exec(String(said))![0] };
  const took = Array.from({ length: 11 }, () => {
    const startedAt = performance.now();
    spawnSync(process.execPath, [fixture('quick.mjs')], { env });
    return performance.now() - startedAt;
  });
  server.kill();
  await once(server, 'exit');
  return median(took);
}

try {
  console.log(`${seeds} seeds, ${cpus().length} cores, load ${loadavg()[0]!.toFixed(1)}`);
  const before = await alone();
  const ticks = worked();
  const whole = sweep('whole', [], suite);
  const processor = (worked() - ticks) / (seeds + 1);
  // The machine may not be the same afterwards.
  const bare = median([before, await alone()]);
  const { runs } = whole.report;
  const [run, within] = [
    sum(runs.map(({ durationMs }) => durationMs)) / runs.length,
    sum(runs.map((one) => one.suite.durationMs!)) / runs.length,
  ];
  console.log(`jobs 1: ${seconds(whole.wallMs)} in all, load ${loadavg()[0]!.toFixed(1)}`);
  console.log(
    `  a run: ${milliseconds(run)}, of it the suite ${milliseconds(within)}; what is added is ${percent(run / within - 1)} of the suite`,
  );
  console.log(
    `  the suite alone, against a server that is there: ${milliseconds(bare)}; a run takes ${percent(run / bare - 1)} more`,
  );
  console.log(
    `  the sweep itself, beside its runs (its start, the control): ${seconds(whole.wallMs - run * runs.length)}; not the suite: ${percent(1 - (within * runs.length) / whole.wallMs)} of the sweep`,
  );
  console.log(`  processor time of a run, its suite included: ${milliseconds(processor)}`);

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
