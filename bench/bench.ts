/**
 * `npm run bench [-- --quick] [--only a,b] [--write]`: how fast the relay is, beside no relay at all and beside its
 * peers. Server, relay and client are processes of their own; every relay runs once a round, in shuffled order, and
 * each of its figures is compared with one taken without it right before, so that a busy machine moves both.
 * Loopback only.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measure, type Plan, type Round } from './measure.ts';
import { start, stop } from './process.ts';
import { table, targets } from './table.ts';
import { variants } from './variants.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
  },
});

const plan: Plan = flags.quick
  ? { rounds: 1, oneStream: 20_000, manyStreams: 100, streams: 200, pacedSeconds: 1 }
  : {
      rounds: Number(flags.rounds ?? 3),
      oneStream: 300_000,
      manyStreams: 1500,
      streams: 200,
      pacedSeconds: 4,
    };

const wanted = flags.only?.split(',');
const notes: string[] = [];
const chosen = variants.filter(({ name, missing }) => {
  if (wanted && !wanted.includes(name)) return false;
  const why = missing();
  if (why) notes.push(`${name} was left out: ${why}.`);
  return !why;
});

function shuffled<T>(list: readonly T[]): readonly T[] {
  return list
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** One-minute load before we began: near zero, or the figures tell of other programs too. */
const load = loadavg()[0]!;
if (load > 0.5) {
  notes.push(
    `The machine was busy with other work (load ${load.toFixed(1)} at the start): do not quote these figures.`,
  );
}

const rounds = new Map<string, Round[]>(chosen.map(({ name }) => [name, []]));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const origin = await start(['node', fileURLToPath(new URL('origin.mjs', import.meta.url))]);
for (let round = 1; round <= plan.rounds; round++) {
  for (const variant of shuffled(chosen)) {
    process.stderr.write(`round ${round} of ${plan.rounds}: ${variant.name}\n`);
    const relay = await variant.launch(origin.port);
    try {
      rounds.get(variant.name)!.push(await measure(relay, `http://127.0.0.1:${origin.port}/mcp`, plan));
    } finally {
      await stop(relay.child);
      relay.clean();
    }
  }
}
await stop(origin.child);

const reached = rounds.has('mcp-chaos') ? targets(rounds, plan.streams) : [];
const machine = `${type()} ${release()}, Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`;
const text = `# Benchmark

\`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${machine}. ${plan.rounds} rounds in shuffled order, median
(smallest…largest); each figure is compared with one taken without a relay right before it. Server, relay and client
share the cores. Events carry 120 bytes of JSON, one HTTP chunk each; every stream is a \`tools/call\` in a session of its
own; the client is \`node:http\` with eventsource-parser. mcp-chaos runs \`calm\` and writes its journal to disk.

${table(rounds)}

nginx can be faster than no relay at all: it merges chunks, which makes the client's HTTP parser cheaper.
A relay without a journal shows "–" there. "KB/idle stream" is the growth of resident memory over ${plan.streams} quiet streams,
each with a session of its own, in a relay that has just been started.
${notes.map((note) => `\n${note}`).join('')}
## Targets

| \`calm\`, recording on | target | measured | |
|---|---:|---:|---|
${reached.map((row) => `| ${row.what} | ${row.target} | ${row.measured} | ${row.held ? 'reached' : '**missed**'} |`).join('\n')}
`;
console.log(text);
if (flags.write) writeFileSync(new URL('RESULTS.md', import.meta.url), text);
