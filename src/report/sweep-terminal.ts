/**
 * The summary of a sweep for people, in 80 columns: what the seeds reached, what clients did, and each way to
 * fail once, with the seeds that show it.
 */
import type { Cell } from '../sweep/record.ts';
import type { FindingGroup, SweepReport } from '../sweep/report.ts';
import { outcomesWorstFirst } from '../watcher/report.ts';
import { inertText } from './inert.ts';
import { plural, wrap } from './lines.ts';
import { type Paint, paint } from './paint.ts';
import type { Reporter } from './reporter.ts';
import { bullet, coverageLines, exitLine, failureLines, summary, titleLine } from './summary.ts';
import { sweepMeaning } from './sweep-reading.ts';

const shownGroups = 12;
const shownSeeds = 8;

export const sweepTerminal: Reporter<SweepReport> = {
  name: 'terminal',
  summary: 'the summary for people, in 80 columns',
  extension: 'txt',
  render(report, { colour }) {
    const colours = paint(colour);
    return summary([
      header(report, colours),
      table(report, colours),
      figures(report),
      failing(report, colours),
      others(report, colours),
      report.notes.map((note) => bullet('!', note, colours)),
      verdict(report, colours),
    ]);
  },
};

function header(report: SweepReport, colours: Paint): readonly string[] {
  const { seeds, parts, coverage } = report;
  const range = seeds.from === seeds.to ? `seed ${seeds.from}` : `seeds ${seeds.from} to ${seeds.to}`;
  const done =
    seeds.finished === seeds.planned ? String(seeds.finished) : `${seeds.finished} of ${seeds.planned}`;
  const shards = parts.length > 1 ? `, ${plural(parts.length, 'part')}` : '';
  return [
    titleLine(report, colours.bold(range), colours),
    colours.dim(
      `${done} ${seeds.planned === 1 ? 'run' : 'runs'}${shards}, ${plural(coverage.faults.armed, 'decision')}`,
    ),
  ];
}

interface Column {
  readonly heading: string;
  readonly width: number;
  text(cell: Cell): string;
}

const columns: readonly Column[] = [
  { heading: 'seam', width: 9, text: ({ seam }) => seam ?? '-' },
  { heading: 'channel', width: 8, text: ({ channel }) => channel },
  { heading: 'revision', width: 11, text: ({ revision }) => revision ?? '-' },
];
const counts: readonly Column[] = [
  { heading: 'armed', width: 6, text: ({ armed }) => String(armed) },
  { heading: 'applied', width: 8, text: ({ applied }) => String(applied) },
  { heading: 'noticed', width: 9, text: (cell) => part(cell.detected, cell.detectable) },
  { heading: 'alarms', width: 7, text: (cell) => part(cell.falseAlarms, cell.controls) },
];
const nameWidth = 22;

function part(count: number, total: number): string {
  return total === 0 ? '·' : `${count}/${total}`;
}

function table({ coverage, runs }: SweepReport, colours: Paint): readonly string[] {
  if (runs.length === 0) return [];
  const idle =
    coverage.idle.length === 0
      ? []
      : wrap(inertText(coverage.idle.join(', ')), 'never armed: ', 2)
          .split('\n')
          .map(colours.dim);
  if (coverage.cells.length === 0) return idle;
  const heading = row(
    'fault',
    columns.map(({ heading: word, width }) => word.padEnd(width)),
    counts.map(({ heading: word, width }) => word.padStart(width)),
  );
  const rows = coverage.cells.map((cell) => {
    const line = row(
      inertText(cell.fault),
      columns.map(({ width, text }) => inertText(text(cell)).padEnd(width)),
      counts.map(({ width, text }) => text(cell).padStart(width)),
    );
    if (cell.detected < cell.detectable || cell.falseAlarms > 0) return colours.red(line);
    return cell.applied === 0 ? colours.dim(line) : line;
  });
  return [colours.dim(heading), ...rows, ...(idle.length === 0 ? [] : ['', ...idle])];
}

function row(name: string, left: readonly string[], right: readonly string[]): string {
  return `${name.padEnd(nameWidth)}${left.join('')}${right.join('')}`.trimEnd();
}

function figures({ coverage, outcomes, runs }: SweepReport): readonly string[] {
  if (runs.length === 0) return [];
  const reactions = outcomesWorstFirst
    .filter((outcome) => (outcomes[outcome] ?? 0) > 0)
    .map((outcome) => `${outcome} ${outcomes[outcome]}`);
  return [
    ...(reactions.length === 0 ? [] : [wrap(reactions.join(', '), 'reactions     ')]),
    ...coverageLines(coverage),
  ];
}

function failing({ findings, runs }: SweepReport, colours: Paint): readonly string[] {
  const all = findings.filter(({ fails }) => fails);
  const lines = all
    .slice(0, shownGroups)
    .flatMap((group, index) => [...(index > 0 ? [''] : []), ...failure(group, runs.length, colours)]);
  if (all.length > shownGroups)
    lines.push(
      '',
      colours.dim(`and ${plural(all.length - shownGroups, 'more way')} to fail, in the json report`),
    );
  return lines;
}

function failure(group: FindingGroup, runs: number, colours: Paint): readonly string[] {
  const { fault, outcome, level, obligation, example, seeds } = group;
  const title = `${fault}: ${outcome}  ${level} ${obligation}`;
  return failureLines(colours.red('✗'), title, where(group), example, colours, [
    wrap(`${seeds.length} of ${runs}: ${seedList(seeds)}`, '  seeds  '),
  ]);
}

/** What does not fail the sweep and is worth a line each. */
function others({ findings }: SweepReport, colours: Paint): readonly string[] {
  const all = findings.filter(({ fails }) => !fails);
  const lines = all
    .slice(0, shownGroups)
    .map((group) =>
      bullet(
        group.outcome === 'undetermined' ? '?' : '-',
        `${group.fault}: ${group.outcome}, ${where(group)}, ${group.level} ${group.obligation}; ${group.seeds.length === 1 ? 'seed' : 'seeds'} ${seedList(group.seeds)}`,
        colours,
      ),
    );
  if (all.length > shownGroups)
    lines.push(colours.dim(`and ${plural(all.length - shownGroups, 'more')}, in the json report`));
  return lines;
}

function where({ method, tool }: FindingGroup): string {
  if (method === null) return 'the stand-alone stream';
  return tool === null ? method : `${method} ${tool}`;
}

function seedList(seeds: readonly number[]): string {
  const first = seeds.slice(0, shownSeeds).join(', ');
  return seeds.length > shownSeeds ? `${first} and ${seeds.length - shownSeeds} more` : first;
}

function verdict(report: SweepReport, colours: Paint): readonly string[] {
  const { exitCode, parts } = report;
  const minutes = Math.max(0, ...parts.map(({ durationMs }) => durationMs));
  return [
    ...(minutes === 0 ? [] : [colours.dim(`took ${duration(minutes)}`)]),
    exitLine(exitCode, sweepMeaning(report), colours),
  ];
}

function duration(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 90
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
