/**
 * The summary for people, in 80 columns: what was injected and what became of it, coverage, then each
 * failure as what the client was shown, what it did, and the line that reproduces it.
 */
import type { Finding, Report } from '../watcher/report.ts';
import { faultTable } from './fault-table.ts';
import { inertText } from './inert.ts';
import { plural, wrap } from './lines.ts';
import { type Paint, paint } from './paint.ts';
import { exitMeaning, failures, notesOf, requestName, undecided } from './reading.ts';
import { defineReporter } from './reporter.ts';
import { bullet, coverageLines, exitLine, failureLines, summary, titleLine } from './summary.ts';

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
    return summary([
      header(report, colours),
      table(report, colours),
      report.faults.length === 0 ? [] : coverageLines(report.coverage),
      failureSection(report, colours),
      undecidedSection(report, colours),
      notesOf(report).map((note) => bullet('!', note, colours)),
      verdict(report, colours),
    ]);
  },
});

function header(report: Report, colours: Paint): readonly string[] {
  const { traffic } = report;
  return [
    titleLine(report, `seed ${colours.bold(inertText(report.seed))}`, colours),
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
  return failureLines(tone('✗'), title, where, finding, colours);
}

function undecidedSection(report: Report, colours: Paint): readonly string[] {
  return undecided(report).map((finding) =>
    bullet('?', `${finding.fault}, ${requestName(finding)}: ${finding.message.did}`, colours),
  );
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
  return [
    ...(ended === undefined ? [] : [colours.dim(`the command ${inertText(ended)}${took}`)]),
    exitLine(report.exitCode, exitMeaning(report), colours),
  ];
}
