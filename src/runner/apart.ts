/**
 * A run in a process that has no other: its own ports, its own journal, its output in a file. What it found is
 * read from its JSON report, as any script would.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../watcher/report.ts';
import type { Stops, Workers } from './workers.ts';

export interface Launch {
  readonly workers: Workers;
  /** Flags of every run beside profile and seed. */
  readonly flags: readonly string[];
  /** The command to wrap. */
  readonly command: readonly string[];
}

export interface ApartRun {
  /** Undefined where it left none: it was stopped, or it crashed. */
  readonly report: Report | undefined;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly durationMs: number;
  readonly folder: string;
}

/** `own` are the flags of this run, such as its seed. Journal, report and output are written to `folder`. */
export async function runApart(
  { workers, flags, command }: Launch,
  own: readonly string[],
  folder: string,
  stops: Stops,
): Promise<ApartRun> {
  mkdirSync(folder, { recursive: true });
  const reportPath = join(folder, 'report.json');
  // One that an earlier process left there would be taken for this run's.
  rmSync(reportPath, { force: true });
  const files = ['--journal', join(folder, 'journal.ndjson'), '--report', `json=${reportPath}`];
  // Asked for by path, so that a run that is one of many does not add itself to the job's summary.
  if (process.env.GITHUB_ACTIONS === 'true') files.push('--report', `github=${join(folder, 'summary.md')}`);
  const startedAt = performance.now();
  const { code, signal } = await workers.run(
    // Without the word `run`: yargs renders the help of a command that is named, 0.1 s for each.
    [...own, ...flags, ...files, '--', ...command],
    join(folder, 'output.txt'),
    stops,
  );
  const durationMs = Math.round(performance.now() - startedAt);
  return { report: readReport(reportPath), code, signal, durationMs, folder };
}

/** A JSON report; undefined where there is none, or half of one. */
export function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}
