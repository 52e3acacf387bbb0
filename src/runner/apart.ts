/**
 * A run in a process of its own: its own ports, its own journal, its output in a file. What it found is read
 * from its JSON report, as any script would.
 */
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../watcher/report.ts';
import { startChild } from './child.ts';

export interface Launch {
  /** The words that start this very program: node, its flags, the script. */
  readonly program: readonly string[];
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

/** How it may be ended: asked to first, then at once. */
export interface Stops {
  readonly stop: AbortSignal;
  readonly kill: AbortSignal;
}

/** `own` are the flags of this run, such as its seed. Journal, report and output are written to `folder`. */
export async function runApart(
  { program, flags, command }: Launch,
  own: readonly string[],
  folder: string,
  { stop, kill }: Stops,
): Promise<ApartRun> {
  mkdirSync(folder, { recursive: true });
  const reportPath = join(folder, 'report.json');
  const files = ['--journal', join(folder, 'journal.ndjson'), '--report', `json=${reportPath}`];
  // Asked for by path, so that a run that is one of many does not add itself to the job's summary.
  if (process.env.GITHUB_ACTIONS === 'true') files.push('--report', `github=${join(folder, 'summary.md')}`);
  const output = openSync(join(folder, 'output.txt'), 'w', 0o600);
  const startedAt = performance.now();
  try {
    const child = await startChild(
      [...program, 'run', ...own, ...flags, ...files, '--', ...command],
      process.env,
      ['ignore', output, output],
    );
    const ask = (): void => child.signal('SIGTERM');
    // The run itself ends its command at the second request.
    for (const signal of [stop, kill]) {
      if (signal.aborted) ask();
      else signal.addEventListener('abort', ask, { once: true });
    }
    const { code, signal } = await child.exited;
    for (const one of [stop, kill]) one.removeEventListener('abort', ask);
    await child.sweep(0);
    const durationMs = Math.round(performance.now() - startedAt);
    return { report: readReport(reportPath), code, signal, durationMs, folder };
  } finally {
    closeSync(output);
  }
}

/** A JSON report; undefined where there is none, or half of one. */
export function readReport(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}
