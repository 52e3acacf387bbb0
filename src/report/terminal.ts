/**
 * The summary for people, in 80 columns: what was injected and what became of it, coverage, then each
 * failure as what the client was shown, what it did, and the line that reproduces it.
 */
import type { Finding, Report } from '../watcher/report.ts';
import { faultTable } from './fault-table.ts';
import { inertText } from './inert.ts';
import { plural, wrap } from './lines.ts';
import { type Paint, paint } from './paint.ts';
import { exitMeaning, failures, ratio, requestName, undecided } from './reading.ts';
import { defineReporter } from './reporter.ts';

/** The scope of traffic that names none; saying it would say nothing. */
const defaultScope = 'main';

/** Ways to fail that are shown; beyond this many a screen does not help, and the JSON report has them all. */
const shown = 8;

export const terminal = defineReporter({
  name: 'terminal',
  summary: 'the summary for people, in 80 columns',
  extension: 'txt',
  render(report, { colour }) {
    const colours = paint(colour);
    const sections = [
      header(report, colours),
      table(report, colours),
      coverage(report),
      failureSection(report, colours),
      undecidedSection(report, colours),
      notes(report, colours),
      verdict(report, colours),
    ];
    return `${sections
      .filter((lines) => lines.length > 0)
      .map((lines) => lines.join('\n'))
      .join('\n\n')}\n`;
  },
});

function header(report: Report, colours: Paint): readonly string[] {
  const { traffic } = report;
  const name = `mcp-chaos ${inertText(report.version)}`;
  return [
    `${colours.bold(name)}  profile ${inertText(report.profile)}  seed ${colours.bold(inertText(report.seed))}  contract ${report.contract}`,
    colours.dim(
      `${plural(traffic.requests, 'request')}, ${plural(traffic.sessions, 'session')}, ${plural(traffic.streams, 'stream')}, ${plural(report.decisions.length, 'decision')} (digest ${inertText(report.decisionsDigest.slice(0, 16))})`,
    ),
  ];
}

function table(report: Report, colours: Paint): readonly string[] {
  return faultTable(
    report.faults.map((row) => ({ ...row, fault: inertText(row.fault) })),
    colours,
  );
}

function coverage(report: Report): readonly string[] {
  if (report.faults.length === 0) return [];
  const { detection, falseAlarms, faults } = report.coverage;
  return [
    `detected      ${ratio(detection.detected, detection.total)} detectable desyncs`,
    `false alarms  ${ratio(falseAlarms.count, falseAlarms.total)} controls`,
    `exercised     ${ratio(faults.applied, faults.armed)} armed faults were applied`,
  ];
}

/** One block for each way to fail, worst first: its worst finding in full, and how often it came besides. */
function failureSection(report: Report, colours: Paint): readonly string[] {
  const ways = alike(failures(report));
  const lines = ways
    .slice(0, shown)
    .flatMap(([worst, ...others], index) => [
      ...(index > 0 ? [''] : []),
      ...failure(worst!, colours),
      ...(others.length === 0 ? [] : [colours.dim(wrap(more(others), '  and    '))]),
    ]);
  const rest = ways.slice(shown).flat().length;
  if (rest > 0) lines.push('', colours.dim(`and ${plural(rest, 'more failure')}, in the json report`));
  return lines;
}

/** Findings of one fault that ended alike under one obligation, in the order in which the first of each came. */
function alike(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const ways = new Map<string, Finding[]>();
  for (const finding of findings) {
    const way = [finding.fault, finding.obligation, finding.level, finding.outcome].join('\n');
    ways.set(way, [...(ways.get(way) ?? []), finding]);
  }
  return [...ways.values()];
}

function more(others: readonly Finding[]): string {
  const named = [...new Set(others.map(requestName))].slice(0, 3).map(inertText);
  const rest = others.length - named.length;
  return `${others.length} more of the kind: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function failure(finding: Finding, colours: Paint): readonly string[] {
  const tone = finding.level === 'ADVICE' || finding.level === 'SHOULD' ? colours.yellow : colours.red;
  const flags = finding.flags.length > 0 ? ` [${finding.flags.join(', ')}]` : '';
  const doubt = finding.confidence === 'inferred' ? ', inferred' : '';
  const title = `${finding.fault}: ${finding.outcome}${flags}  ${finding.level} ${finding.obligation}${doubt}`;
  const where = `${requestName(finding)}${finding.scope === defaultScope ? '' : `, scope ${finding.scope}`}`;
  return [
    tone('✗') + colours.bold(wrap(inertText(title), '✗ ').slice(1)),
    wrap(inertText(`${where}: ${finding.message.shown}`), '  shown  '),
    wrap(inertText(finding.message.did), '  did    '),
    // Never wrapped: this line is for pasting.
    `  again  ${inertText(finding.reproduce)}`,
  ];
}

function undecidedSection(report: Report, colours: Paint): readonly string[] {
  return undecided(report).map((finding) =>
    bullet('?', `${finding.fault}, ${requestName(finding)}: ${finding.message.did}`, colours),
  );
}

function notes(report: Report, colours: Paint): readonly string[] {
  const outside = report.traffic.outside.map(
    ({ what, count }) => `${plural(count, 'request')} outside the profile: ${what}`,
  );
  return [...outside, ...report.notes].map((note) => bullet('!', note, colours));
}

/** Coloured after wrapping: escape sequences have no width. */
function bullet(mark: string, text: string, colours: Paint): string {
  return colours.yellow(mark) + wrap(inertText(text), `${mark} `).slice(mark.length);
}

function verdict(report: Report, colours: Paint): readonly string[] {
  const { suite } = report;
  const ended =
    suite.signal !== null
      ? `ended by ${suite.signal}`
      : suite.code !== null
        ? `exited with ${suite.code}`
        : undefined;
  const took = suite.durationMs === null ? '' : ` after ${(suite.durationMs / 1000).toFixed(1)} s`;
  const tone = report.exitCode === 0 ? colours.green : colours.red;
  return [
    ...(ended === undefined ? [] : [colours.dim(`the command ${inertText(ended)}${took}`)]),
    `${tone(`exit ${report.exitCode}`)}: ${exitMeaning(report)}`,
  ];
}
