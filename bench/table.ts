/** Rounds into tables. Ratios and differences are taken within a round, medians after that. */
import type { Latency, Load, Round } from './measure.ts';

export type Rounds = ReadonlyMap<string, readonly Round[]>;

interface Column {
  readonly title: string;
  readonly cell: (round: Round) => number | undefined;
  readonly digits: number;
}

const times = (pick: (load: Load) => number) => (round: Round) => pick(round) / pick(round.direct);
const added = (pick: (load: Load) => number) => (round: Round) => pick(round) - pick(round.direct);

const columns: readonly Column[] = [
  { title: '1 stream: k events/s', cell: (round) => round.eventsPerSecond1 / 1000, digits: 0 },
  { title: '× direct', cell: times((load) => load.eventsPerSecond1), digits: 2 },
  { title: '200 streams: k events/s', cell: (round) => round.eventsPerSecondMany / 1000, digits: 0 },
  { title: '× direct', cell: times((load) => load.eventsPerSecondMany), digits: 2 },
  { title: 'CPU µs/event', cell: (round) => round.cpuMicrosPerEvent, digits: 1 },
  { title: 'added p50 µs, 1 × 1000/s', cell: added((load) => load.latency1.p50), digits: 0 },
  { title: 'p99', cell: added((load) => load.latency1.p99), digits: 0 },
  { title: 'added p50 µs, 200 × 10/s', cell: added((load) => load.latencyMany.p50), digits: 0 },
  { title: 'p99', cell: added((load) => load.latencyMany.p99), digits: 0 },
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
  const all = [...rounds.values()].flat();
  const plain = (pick: (load: Load) => number, digits: number): string =>
    summarise(
      all.map(({ direct }) => pick(direct)),
      digits,
    );
  const absolute = (pick: (load: Load) => Latency, quantile: keyof Latency): string =>
    `of ${plain((load) => pick(load)[quantile], 0)}`;
  const direct = [
    'direct',
    plain((load) => load.eventsPerSecond1 / 1000, 0),
    '1',
    plain((load) => load.eventsPerSecondMany / 1000, 0),
    '1',
    '–',
    absolute((load) => load.latency1, 'p50'),
    absolute((load) => load.latency1, 'p99'),
    absolute((load) => load.latencyMany, 'p50'),
    absolute((load) => load.latencyMany, 'p99'),
    ...['–', '–', '–'],
  ];
  const rows = [...rounds].map(([name, own]) => [
    name,
    ...columns.map(({ cell, digits }) => summarise(own.map(cell), digits)),
  ]);
  const head = ['', ...columns.map(({ title }) => title)];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = line(head.map((_, index) => (index === 0 ? '---' : '---:')));
  return [line(head), rule, line(direct), ...rows.map(line)].join('\n');
}

export interface Target {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  readonly held: boolean;
}

/** What the project set out to reach with `calm` and recording on, and what this run measured. */
export function targets(rounds: Rounds, streams: number): readonly Target[] {
  const own = rounds.get('mcp-chaos') ?? [];
  const mid = (pick: (round: Round) => number): number => median(own.map(pick).sort((a, b) => a - b));
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
    atLeast('events/s × direct, 1 stream', mid(times((load) => load.eventsPerSecond1)), 0.75),
    atLeast(`events/s × direct, ${streams} streams`, mid(times((load) => load.eventsPerSecondMany)), 0.75),
    atMost('added µs at p50, 1 paced stream', mid(added((load) => load.latency1.p50)), 150),
    atMost('added µs at p99, 1 paced stream', mid(added((load) => load.latency1.p99)), 1000),
    atMost(`added µs at p50, ${streams} paced streams`, mid(added((load) => load.latencyMany.p50)), 150),
    atMost(`added µs at p99, ${streams} paced streams`, mid(added((load) => load.latencyMany.p99)), 1000),
    atMost(
      `peak MB with ${streams} streams`,
      mid((round) => round.residentManyMb),
      200,
    ),
  ];
}
