/**
 * What the guard costs the official client that wears it.
 *
 *   npm run build && npx tsx bench/guard.ts [--events 100000] [--rounds 20]    CPU time, in turns
 *   npm run build && npx tsx bench/guard.ts --instructions [--events 100000]   instructions, by valgrind
 *
 * CPU time is that of the client's process, for wall time is the server's too; with and without take turns, so that
 * both see the same machine. Where the machine is shared that is not enough, and the pairs differ by more than the
 * guard costs. Instructions do not depend on who else is there. They are counted for a fifth of the events and for all of
 * them: the difference leaves out the start of the process. V8 runs single-threaded then, or the count would be its
 * compiler's race with the code it compiles.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as Guard from '../src/guard/index.ts';
import { readStream } from './guard-stream.mjs';
import { numberIn, start, stop } from './process.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '20' },
    instructions: { type: 'boolean', default: false },
  },
});
const events = Number(values.events);
const rounds = Number(values.rounds);
// Or each turn would pay for what the one before it left behind.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const inBench = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const { child, port } = await start(['node', inBench('guard-origin.mjs')]);
try {
  if (values.instructions) await countInstructions();
  else await compareTimes();
} finally {
  await stop(child);
}

function urlOf(count: number, everyMs = 0): string {
  return `http://127.0.0.1:${port}/mcp?events=${count}&everyMs=${everyMs}`;
}

async function compareTimes(): Promise<void> {
  // As it ships: what tsx makes of the source is slower.
  const { guardFetch } = (await import(
    new URL('../dist/guard/index.js', import.meta.url).href
  )) as typeof Guard;
  const guarded = guardFetch(fetch, { contract: 'monotonic:stream' });
  console.log(
    '| stream | without, µs an event | with, µs an event | the guard, pairs | half of the pairs | quickest tenths |',
  );
  console.log('| --- | --- | --- | --- | --- | --- |');
  const streams = [
    { name: 'as fast as it is read', url: urlOf(events) },
    { name: 'an event each millisecond', url: urlOf(Math.ceil(events / 50), 1) },
  ];
  for (const { name, url } of streams) {
    const plain: number[] = [];
    const watched: number[] = [];
    // By who went first: the second of a pair finds another machine, and a median of both would hide which.
    const ratios: [number[], number[]] = [[], []];
    // Two rounds for the compilers.
    for (let round = -2; round < rounds; round += 1) {
      const first = round % 2 === 0;
      const one = await cpuTime(url, first ? fetch : guarded);
      const other = await cpuTime(url, first ? guarded : fetch);
      const [without, withIt] = first ? [one, other] : [other, one];
      if (round < 0) continue;
      plain.push(without);
      watched.push(withIt);
      ratios[first ? 0 : 1].push(withIt / without);
    }
    const [before, after] = ratios.map((one) => quantile(one, 0.5)) as [number, number];
    const both = ratios.flat();
    const cells = [
      name,
      quantile(plain, 0.5).toFixed(2),
      quantile(watched, 0.5).toFixed(2),
      percent(Math.sqrt(before * after) - 1),
      `${percent(quantile(both, 0.25) - 1)} to ${percent(quantile(both, 0.75) - 1)}`,
      percent(quantile(watched, 0.1) / quantile(plain, 0.1) - 1),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

/** CPU time of this process for one whole stream, in microseconds an event. */
async function cpuTime(url: string, fetch: Guard.FetchLike): Promise<number> {
  collectGarbage();
  const before = process.cpuUsage();
  const received = await readStream(url, fetch);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / received;
}

async function countInstructions(): Promise<void> {
  const some = Math.ceil(events / 5);
  const perEvent = async (kind: 'plain' | 'guarded'): Promise<number> =>
    ((await instructions(kind, events)) - (await instructions(kind, some))) / (events - some);
  const without = await perEvent('plain');
  const withIt = await perEvent('guarded');
  console.log('| without, instructions an event | with | the guard |');
  console.log('| --- | --- | --- |');
  console.log(`| ${without.toFixed(0)} | ${withIt.toFixed(0)} | ${percent(withIt / without - 1)} |`);
}

async function instructions(kind: 'plain' | 'guarded', count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-chaos-bench-'));
  try {
    const valgrind = ['--tool=callgrind', `--callgrind-out-file=${join(folder, 'out')}`];
    const client = ['node', '--single-threaded', inBench('guard-client.mjs'), urlOf(count), kind];
    const { stderr } = await promisify(execFile)('valgrind', [...valgrind, ...client]);
    const counted = numberIn(/Collected : (\d+)/, stderr);
    if (counted === undefined)
      throw new Error(`valgrind did not say what it counted:\n${stderr.slice(-2000)}`);
    return counted;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function quantile(numbers: readonly number[], part: number): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * part)]!;
}

function percent(ratio: number): string {
  return `${(ratio * 100).toFixed(1)} %`;
}
