/** One variant in one round: every figure that the tables show. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, launch, residentMb, stop } from './process.ts';
import type { Relay } from './variants.ts';

export interface Plan {
  readonly rounds: number;
  /** Events of the single stream, and of each of many. */
  readonly oneStream: number;
  readonly manyStreams: number;
  readonly streams: number;
  readonly pacedSeconds: number;
}

/** What a client saw of a relay, or of no relay. */
export interface Load {
  readonly eventsPerSecond1: number;
  readonly eventsPerSecondMany: number;
  readonly latency1: Latency;
  readonly latencyMany: Latency;
}

/** Figures of one round. `direct` was measured in the same minute, step by step, right before the relay's. */
export interface Round extends Load {
  readonly direct: Load;
  readonly cpuMicrosPerEvent: number | undefined;
  readonly residentManyMb: number;
  readonly idleStreamKb: number;
  readonly journalBytesPerEvent: number | undefined;
}

/** Microseconds from the server's write to the client's parsed event. */
export interface Latency {
  readonly p50: number;
  readonly p99: number;
}

interface ClientResult {
  readonly received: number;
  readonly expected: number;
  readonly ms: number;
  readonly p50: number | null;
  readonly p99: number | null;
}

const client = fileURLToPath(new URL('client.mjs', import.meta.url));

export async function measure(
  { url, child, journalBytes }: Relay,
  directUrl: string,
  plan: Plan,
): Promise<Round> {
  const { pid } = child;
  if (pid === undefined) throw new Error('the relay has no process');

  // Before any load, while the heap is still small; the first opening pays for code that is loaded once.
  await idleStreamKb(url, pid, 50);
  const idle = await idleStreamKb(url, pid, plan.streams);

  const one = (to: string): Promise<ClientResult> => ask([to, 'flood', 1, plan.oneStream, 0]);
  const many = (to: string): Promise<ClientResult> => ask([to, 'flood', plan.streams, plan.manyStreams, 0]);
  const pacedOne = (to: string): Promise<ClientResult> =>
    ask([to, 'pace', 1, 1000 * plan.pacedSeconds, 1000]);
  const pacedMany = (to: string): Promise<ClientResult> =>
    ask([to, 'pace', plan.streams, 10 * plan.pacedSeconds, 10]);

  // Warms the code paths of the relay and fills the server's cache of encoded events.
  await one(url);
  await many(url);

  const one0 = await one(directUrl);
  const cpuBefore = cpuSeconds(pid);
  const journalBefore = journalBytes();
  const one1 = await one(url);
  const journalAfter = journalBytes();
  const cpuAfter = cpuSeconds(pid);

  const many0 = await many(directUrl);
  const sampler = sampleMemory(pid);
  const many1 = await many(url);
  const residentManyMb = sampler.peak();

  const pacedMany0 = await pacedMany(directUrl);
  const pacedMany1 = await pacedMany(url);
  const pacedOne0 = await pacedOne(directUrl);
  const pacedOne1 = await pacedOne(url);

  return {
    ...load(one1, many1, pacedOne1, pacedMany1),
    direct: load(one0, many0, pacedOne0, pacedMany0),
    cpuMicrosPerEvent: difference(cpuBefore, cpuAfter, 1e6 / one1.expected),
    residentManyMb,
    idleStreamKb: idle,
    journalBytesPerEvent: difference(journalBefore, journalAfter, 1 / one1.expected),
  };
}

/** Runs the client once, at most a minute. An incomplete count is an error: a relay that loses events is not fast. */
async function ask(values: readonly (string | number)[]): Promise<ClientResult> {
  const args = values.map(String);
  const child = launch(['node', client, ...args]);
  let output = '';
  child.stdout?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  child.stderr?.on('data', (data: Buffer) => {
    output += data.toString();
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await once(child, 'close');
  clearTimeout(limit);
  const line = output.trim().split('\n').at(-1) ?? '';
  if (!line.startsWith('{'))
    throw new Error(`client ${args.join(' ')}: ${output.slice(0, 2000) || 'no answer in 60 s'}`);
  const result = JSON.parse(line) as ClientResult;
  if (result.received !== result.expected) {
    throw new Error(`client ${args.join(' ')}: ${result.received} of ${result.expected} events arrived`);
  }
  return result;
}

function sampleMemory(pid: number): { readonly peak: () => number } {
  let peak = residentMb(pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMb(pid));
  }, 250);
  return {
    peak() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** What each open and quiet stream adds, from the process's memory before and a second after they opened. */
async function idleStreamKb(url: string, pid: number, streams: number): Promise<number> {
  await quiet();
  const before = residentMb(pid);
  const child = launch(['node', client, url, 'idle', String(streams), '0', '0']);
  const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);
  try {
    await Promise.race([
      once(child.stdout!, 'data'),
      once(child, 'exit').then(() =>
        Promise.reject(new Error('the idle client ended before its streams were open')),
      ),
    ]);
    await quiet();
    return ((residentMb(pid) - before) * 1024) / streams;
  } finally {
    clearTimeout(limit);
    await stop(child);
  }
}

const quiet = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1000));

function load(one: ClientResult, many: ClientResult, pacedOne: ClientResult, pacedMany: ClientResult): Load {
  return {
    eventsPerSecond1: perSecond(one),
    eventsPerSecondMany: perSecond(many),
    latency1: latency(pacedOne),
    latencyMany: latency(pacedMany),
  };
}

const perSecond = ({ received, ms }: ClientResult): number => (received / ms) * 1000;
const latency = ({ p50, p99 }: ClientResult): Latency => ({ p50: p50 ?? Number.NaN, p99: p99 ?? Number.NaN });

function difference(
  before: number | undefined,
  after: number | undefined,
  factor: number,
): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) * factor;
}
