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
import { ratio } from './reading.ts';
import type { Reporter } from './reporter.ts';
import { sweepMeaning } from './sweep-reading.ts';

const shownGroups = 12;
const shownSeeds = 8;

export const sweepTerminal: Reporter<SweepReport> = {
  name: 'terminal',
  summary: 'the summary for people, in 80 columns',
  extension: 'txt',
  render(report, { colour }) {
    const colours = paint(colour);
    const sections = [
      header(report, colours),
      table(report, colours),
      figures(report),
      failing(report, colours),
      others(report, colours),
      report.notes.map((note) => bullet('!', note, colours)),
      verdict(report, colours),
    ];
    return `${sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n')}\n`;
  },
};

function header(report: SweepReport, colours: Paint): readonly string[] {
  const { seeds, parts, coverage } = report;
  const name = `mcp-chaos ${inertText(report.version)}`;
  const range = seeds.from === seeds.to ? `seed ${seeds.from}` : `seeds ${seeds.from} to ${seeds.to}`;
  const done =
    seeds.finished === seeds.planned ? String(seeds.finished) : `${seeds.finished} of ${seeds.planned}`;
  const shards = parts.length > 1 ? `, ${plural(parts.length, 'part')}` : '';
  return [
    `${colours.bold(name)}  profile ${inertText(report.profile)}  ${colours.bold(range)}  contract ${report.contract}`,
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
  const { detection, falseAlarms, faults } = coverage;
  const reactions = outcomesWorstFirst
    .filter((outcome) => (outcomes[outcome] ?? 0) > 0)
    .map((outcome) => `${outcome} ${outcomes[outcome]}`);
  return [
    ...(reactions.length === 0 ? [] : [wrap(reactions.join(', '), 'reactions     ')]),
    `detected      ${ratio(detection.detected, detection.total)} detectable desyncs`,
    `false alarms  ${ratio(falseAlarms.count, falseAlarms.total)} controls`,
    `exercised     ${ratio(faults.applied, faults.armed)} armed faults were applied`,
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
  const { example } = group;
  return [
    colours.red('✗') +
      colours.bold(
        wrap(inertText(`${group.fault}: ${group.outcome}  ${group.level} ${group.obligation}`), '✗ ').slice(
          1,
        ),
      ),
    wrap(inertText(`${where(group)}: ${example.message.shown}`), '  shown  '),
    wrap(inertText(example.message.did), '  did    '),
    wrap(`${group.seeds.length} of ${runs}: ${seedList(group.seeds)}`, '  seeds  '),
    // Never wrapped: this line is for pasting.
    `  again  ${inertText(example.reproduce)}`,
  ];
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

/** Coloured after wrapping: escape sequences have no width. */
function bullet(mark: string, text: string, colours: Paint): string {
  return colours.yellow(mark) + wrap(inertText(text), `${mark} `).slice(mark.length);
}

function verdict(report: SweepReport, colours: Paint): readonly string[] {
  const { exitCode, parts } = report;
  const tone = exitCode === 0 ? colours.green : colours.red;
  const minutes = Math.max(0, ...parts.map(({ durationMs }) => durationMs));
  return [
    ...(minutes === 0 ? [] : [colours.dim(`took ${duration(minutes)}`)]),
    `${tone(`exit ${exitCode}`)}: ${sweepMeaning(report)}`,
  ];
}

function duration(ms: number): string {
  const seconds = ms / 1000;
  return seconds < 90
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
