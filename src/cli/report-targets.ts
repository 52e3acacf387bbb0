/** `--report <format>[=<path>]`: what is rendered, and where it goes. */
import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  mkdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ChaosError } from '../errors.ts';
import type { Fact } from '../history/fact.ts';
import { suggestion } from '../profiles/did-you-mean.ts';
import { github, stepSummary } from '../report/github.ts';
import { reporters } from '../report/index.ts';
import type { Drawing, Reporter } from '../report/reporter.ts';
import { readJournal } from '../runner/judge-journal.ts';
import type { SweepReport } from '../sweep/report.ts';
import type { Report } from '../watcher/report.ts';
import { pageParts } from './page-parts.ts';
import { say, wantsColour } from './say.ts';

export interface ReportTarget<Subject = Report> {
  readonly reporter: Reporter<Subject>;
  /** `-` = stdout; undefined = wherever the command puts reports without a path. */
  readonly path: string | undefined;
}

/** Checked before anything starts: a run of ten minutes must not end in a mistyped folder. */
export function readTargets(values: readonly string[]): readonly ReportTarget[] {
  return readTargetsOf(values, reporters);
}

/** The same for another set of reporters. */
export function readTargetsOf<Subject>(
  values: readonly string[],
  known: readonly Reporter<Subject>[],
): readonly ReportTarget<Subject>[] {
  return values.map((value) => {
    const at = value.indexOf('=');
    const name = at < 0 ? value : value.slice(0, at);
    const path = at < 0 ? undefined : value.slice(at + 1);
    const reporter = known.find((one) => one.name === name);
    if (reporter === undefined)
      throw unknownFormat(
        name,
        known.map((one) => one.name),
      );
    if (path === '')
      throw new ChaosError('usage', `--report ${value}: expected a path after "=", found none`);
    if (path !== undefined && path !== '-') checkWritable(value, path);
    return { reporter, path };
  });
}

/**
 * GitHub Actions gets its annotations and its step summary without being asked. A target that names the
 * format replaces them.
 */
export function withGithub(
  targets: readonly ReportTarget[],
  environment: NodeJS.ProcessEnv = process.env,
): readonly ReportTarget[] {
  const asked = targets.some(({ reporter }) => reporter === github);
  if (environment.GITHUB_ACTIONS !== 'true' || asked) return targets;
  return [...targets, { reporter: github, path: undefined }];
}

function unknownFormat(name: string, names: readonly string[]): ChaosError {
  return new ChaosError('usage', `--report: there is no format "${name}"`, {
    hint: `${suggestion(name, names)} Formats: ${names.join(', ')}.`.trim(),
  });
}

function checkWritable(value: string, path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) throw new Error('it is a folder');
  } catch (error) {
    throw new ChaosError(
      'usage',
      `--report ${value}: ${path} cannot be written: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/**
 * Writes every report. Those without a path go to stdout where `folder` is undefined, else into the
 * folder; the terminal's goes to stderr then, and GitHub's annotations too (the runner reads both).
 * One that cannot be written does not keep the others from it.
 */
export function writeReports(
  report: Report,
  targets: readonly ReportTarget[],
  folder: string | undefined,
  journalPath: string,
): void {
  const failures: unknown[] = [];
  for (const target of targets) {
    try {
      writeOne(report, target, folder, journalPath);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function writeOne(
  report: Report,
  { reporter, path }: ReportTarget,
  folder: string | undefined,
  journalPath: string,
): void {
  const drawing = (): Drawing => ({ history: () => readJournal(journalPath).facts, ...pageParts() });
  const render = (colour: boolean): string => reporter.render(report, { colour, drawing });
  if (reporter.name === 'github') writeGithub(report, path, render(false), folder === undefined);
  else if (path === '-' || (path === undefined && folder === undefined)) {
    process.stdout.write(render(wantsColour(process.stdout)));
  } else if (path !== undefined) writeFile(path, render(false));
  else if (reporter.name !== 'terminal')
    writeFile(join(folder!, `report.${reporter.extension}`), render(false));
}

/** With a path the step summary is written there; without one it goes where GitHub says, and annotations are printed. */
function writeGithub(report: Report, path: string | undefined, annotations: string, toStdout: boolean): void {
  if (path === '-') process.stdout.write(annotations);
  else if (path !== undefined) writeFile(path, stepSummary(report));
  else {
    (toStdout ? process.stdout : process.stderr).write(annotations);
    const summaryFile = process.env.GITHUB_STEP_SUMMARY;
    if (summaryFile !== undefined && summaryFile !== '') appendFileSync(summaryFile, stepSummary(report));
  }
}

/**
 * Writes the reports of a sweep: without a path on stdout, where the summary then makes room for them.
 * `folders` are where its runs left their journals; some may have gone since.
 */
export function writeSweepReports(
  report: SweepReport,
  targets: readonly ReportTarget<SweepReport>[],
  folders: readonly string[],
): void {
  const history = (seed?: number): readonly Fact[] => {
    const path = folders
      .map((folder) => join(folder, String(seed), 'journal.ndjson'))
      .find((one) => existsSync(one));
    return path === undefined ? [] : readJournal(path).facts;
  };
  const drawing = (): Drawing => ({ history, ...pageParts() });
  for (const { reporter, path } of targets) {
    if (path === undefined || path === '-') {
      process.stdout.write(reporter.render(report, { colour: wantsColour(process.stdout), drawing }));
    } else writeFile(path, reporter.render(report, { colour: false, drawing }));
  }
}

function writeFile(path: string, text: string): void {
  try {
    writeFileSync(path, text);
    say(`wrote ${path}`);
  } catch (error) {
    throw new ChaosError('usage', `the report ${path} cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
