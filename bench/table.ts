/** Rounds into tables. Every figure is paired with `direct` of the same round before the median is taken. */
import type { Latency, Round } from './measure.ts';

export type Rounds = ReadonlyMap<string, readonly Round[]>;

interface Column {
  readonly title: string;
  readonly cell: (round: Round, direct: Round) => number | undefined;
  readonly digits: number;
}

const added = (pick: (round: Round) => Latency, quantile: keyof Latency) => (round: Round, direct: Round) =>
  pick(round)[quantile] - pick(direct)[quantile];

const columns: readonly Column[] = [
  { title: '1 stream: k events/s', cell: (round) => round.eventsPerSecond1 / 1000, digits: 0 },
  { title: '× direct', cell: (round, direct) => round.eventsPerSecond1 / direct.eventsPerSecond1, digits: 2 },
  { title: '200 streams: k events/s', cell: (round) => round.eventsPerSecondMany / 1000, digits: 0 },
  {
    title: '× direct',
    cell: (round, direct) => round.eventsPerSecondMany / direct.eventsPerSecondMany,
    digits: 2,
  },
  { title: 'CPU µs/event', cell: (round) => round.cpuMicrosPerEvent, digits: 1 },
  { title: 'added p50 µs, 1 × 1000/s', cell: added((round) => round.latency1, 'p50'), digits: 0 },
  { title: 'p99', cell: added((round) => round.latency1, 'p99'), digits: 0 },
  { title: 'added p50 µs, 200 × 10/s', cell: added((round) => round.latencyMany, 'p50'), digits: 0 },
  { title: 'p99', cell: added((round) => round.latencyMany, 'p99'), digits: 0 },
  { title: 'peak MB, 200 streams', cell: (round) => round.residentManyMb, digits: 0 },
  { title: 'KB/idle stream', cell: (round) => round.idleStreamKb, digits: 0 },
  { title: 'journal bytes/event', cell: (round) => round.journalBytesPerEvent, digits: 0 },
];

/** Medians over the rounds, with the smallest and largest where they differ. */
function summarise(values: readonly (number | undefined)[], digits: number): string {
  const known = values.filter((value) => value !== undefined).sort((a, b) => a - b);
  if (known.length === 0) return '–';
  const show = (value: number): string =>
    value.toFixed(digits).replace(/^-0(\.0+)?$/, (zero) => zero.slice(1));
  const range = `${show(known[0]!)}…${show(known.at(-1)!)}`;
  return known.length === 1 ? show(known[0]!) : `${show(median(known))} (${range})`;
}

export function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function table(rounds: Rounds): string {
  const direct = rounds.get('direct') ?? [];
  const rows = [...rounds].map(([name, own]) => [
    name,
    ...columns.map(({ cell, digits }) =>
      summarise(
        own.map((round, index) => cell(round, direct[index]!)),
        digits,
      ),
    ),
  ]);
  const head = ['', ...columns.map(({ title }) => title)];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}

export interface Target {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly held: boolean;
}

/** What the project set out to reach with `calm` and recording on, and what this run measured. */
export function targets(rounds: Rounds, streams: number): readonly Target[] {
  const direct = rounds.get('direct') ?? [];
  const own = rounds.get('mcp-chaos') ?? [];
  const mid = (pick: (round: Round, direct: Round) => number | undefined): number =>
    median(
      own
        .map((round, index) => pick(round, direct[index]!))
        .filter((value) => value !== undefined)
        .sort((a, b) => a - b),
    );
  const atLeast = (what: string, value: number, bound: number): Target => ({
    what,
    target: `≥ ${bound}`,
    measured: value.toFixed(2),
    held: value >= bound,
  });
  const atMost = (what: string, value: number, bound: number): Target => ({
    what,
    target: `≤ ${bound}`,
    measured: value.toFixed(0),
    held: value <= bound,
  });
  return [
    atLeast(
      'events/s × direct, 1 stream',
      mid((r, d) => r.eventsPerSecond1 / d.eventsPerSecond1),
      0.75,
    ),
    atLeast(
      `events/s × direct, ${streams} streams`,
      mid((r, d) => r.eventsPerSecondMany / d.eventsPerSecondMany),
      0.75,
    ),
    atMost(
      'added µs at p50, 1 paced stream',
      mid((r, d) => r.latency1.p50 - d.latency1.p50),
      150,
    ),
    atMost(
      'added µs at p99, 1 paced stream',
      mid((r, d) => r.latency1.p99 - d.latency1.p99),
      1000,
    ),
    atMost(
      `added µs at p50, ${streams} paced streams`,
      mid((r, d) => r.latencyMany.p50 - d.latencyMany.p50),
      150,
    ),
    atMost(
      `added µs at p99, ${streams} paced streams`,
      mid((r, d) => r.latencyMany.p99 - d.latencyMany.p99),
      1000,
    ),
    atMost(
      `peak MB with ${streams} streams`,
      mid((r) => r.residentManyMb),
      200,
    ),
  ];
}
