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

/** Figures of one round; undefined where a variant has none (no process of its own, no journal). */
export interface Round {
  readonly eventsPerSecond1: number;
  readonly eventsPerSecondMany: number;
  readonly cpuMicrosPerEvent: number | undefined;
  readonly latency1: Latency;
  readonly latencyMany: Latency;
  readonly residentManyMb: number | undefined;
  readonly idleStreamKb: number | undefined;
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

export async function measure(relay: Relay, plan: Plan): Promise<Round> {
  const { url, child } = relay;
  const pid = child?.pid;
  const run = (mode: string, streams: number, events: number, rate = 0): Promise<ClientResult> =>
    ask([url, mode, streams, events, rate].map(String));

  // Before any load, while the heap is still small; the first opening pays for code that is loaded once.
  await idleStreamKb(url, pid, 50);
  const idle = await idleStreamKb(url, pid, plan.streams);

  // Warms the code paths of the relay and fills the server's cache of encoded events.
  await run('flood', 1, plan.oneStream);
  await run('flood', plan.streams, plan.manyStreams);

  const cpuBefore = pid === undefined ? undefined : cpuSeconds(pid);
  const journalBefore = relay.journalBytes();
  const one = await run('flood', 1, plan.oneStream);
  const journalAfter = relay.journalBytes();
  const cpuAfter = pid === undefined ? undefined : cpuSeconds(pid);

  const sampler = sampleMemory(pid);
  const many = await run('flood', plan.streams, plan.manyStreams);
  const pacedMany = await run('pace', plan.streams, 10 * plan.pacedSeconds, 10);
  const residentManyMb = sampler.peak();
  const pacedOne = await run('pace', 1, 1000 * plan.pacedSeconds, 1000);

  return {
    eventsPerSecond1: perSecond(one),
    eventsPerSecondMany: perSecond(many),
    cpuMicrosPerEvent: difference(cpuBefore, cpuAfter, 1e6 / one.expected),
    latency1: latency(pacedOne),
    latencyMany: latency(pacedMany),
    residentManyMb,
    idleStreamKb: idle,
    journalBytesPerEvent: difference(journalBefore, journalAfter, 1 / one.expected),
  };
}

/** Runs the client once, at most a minute. An incomplete count is an error: a relay that loses events is not fast. */
async function ask(args: readonly string[]): Promise<ClientResult> {
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

function sampleMemory(pid: number | undefined): { readonly peak: () => number | undefined } {
  if (pid === undefined) return { peak: () => undefined };
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
async function idleStreamKb(
  url: string,
  pid: number | undefined,
  streams: number,
): Promise<number | undefined> {
  if (pid === undefined) return undefined;
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
const perSecond = ({ received, ms }: ClientResult): number => (received / ms) * 1000;
const latency = ({ p50, p99 }: ClientResult): Latency => ({ p50: p50 ?? Number.NaN, p99: p99 ?? Number.NaN });

function difference(
  before: number | undefined,
  after: number | undefined,
  factor: number,
): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) * factor;
}
