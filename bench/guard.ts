/**
 * What the guard costs: the official client reads a stream of 100 000 events with it and without, in turns, so
 * that both see the same machine. CPU time of the client's process, for wall time is the server's too.
 *
 *   npm run build && npx tsx bench/guard.ts [--events 100000] [--rounds 15]
 */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type * as Guard from '../src/guard/index.ts';
import { launch, stop } from './process.ts';

// As it ships: what tsx makes of the source is slower.
const { guardFetch } = (await import(
  new URL('../dist/guard/index.js', import.meta.url).href
)) as typeof Guard;

const { values } = parseArgs({
  options: { events: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '15' } },
});
const events = Number(values.events);
const rounds = Number(values.rounds);
const origin = fileURLToPath(new URL('guard-origin.mjs', import.meta.url));

/** CPU time of this process for one whole stream, in microseconds an event. */
async function readStream(url: string, fetch: Guard.FetchLike): Promise<number> {
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch });
  await transport.start();
  const before = process.cpuUsage();
  let received = 0;
  await new Promise<void>((resolve, reject) => {
    transport.onerror = reject;
    transport.onmessage = (message) => {
      received += 1;
      if ('result' in message) resolve();
    };
    transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }).catch(reject);
  });
  const { user, system } = process.cpuUsage(before);
  await transport.close();
  if (received !== events + 1) throw new Error(`${received} of ${events + 1} messages arrived`);
  return (user + system) / received;
}

function quantile(values: readonly number[], part: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)]!;
}

const median = (values: readonly number[]): number => quantile(values, 0.5);
const percent = (ratio: number): string => `${(ratio * 100).toFixed(1)} %`;

console.log(
  '| events in a chunk | without, µs an event | with, µs an event | the guard, median of pairs | half of the pairs | best against best | target |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const perWrite of [1, 4, 20]) {
  const child = launch(['node', origin, String(events), String(perWrite)]);
  try {
    const [port] = await once(child.stdout!, 'data');
    const url = `http://127.0.0.1:${String(port).trim()}/mcp`;
    const guarded = guardFetch(fetch, { contract: 'monotonic:stream' });
    const plain: number[] = [];
    const watched: number[] = [];
    const ratios: number[] = [];
    // Two rounds for the compilers.
    for (let round = -2; round < rounds; round += 1) {
      // First one, then the other: a machine that slows down slows both.
      const first = round % 2 === 0;
      const one = await readStream(url, first ? fetch : guarded);
      const other = await readStream(url, first ? guarded : fetch);
      const [without, withIt] = first ? [one, other] : [other, one];
      if (round < 0) continue;
      plain.push(without);
      watched.push(withIt);
      ratios.push(withIt / without - 1);
    }
    const cells = [
      perWrite,
      median(plain).toFixed(2),
      median(watched).toFixed(2),
      percent(median(ratios)),
      `${percent(quantile(ratios, 0.25))} to ${percent(quantile(ratios, 0.75))}`,
      percent(Math.min(...watched) / Math.min(...plain) - 1),
      'under 3 %',
    ];
    console.log(`| ${cells.join(' | ')} |`);
  } finally {
    await stop(child);
  }
}
