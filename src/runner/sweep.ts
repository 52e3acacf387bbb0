/**
 * A sweep: a calm control, then a run for each seed, several at a time where the suite allows it. Each line is
 * in the file before the next run is counted, so whatever ends this process loses the runs under way at most.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { distil, lostRun } from '../sweep/distil.ts';
import { failsAlone } from '../sweep/first-failure.ts';
import type { ControlEnded, RunEndedRecord, SweepEnded, SweepPart, SweepStarted } from '../sweep/record.ts';
import { seedsOf } from '../sweep/shard.ts';
import { type ApartRun, type Launch, runApart } from './apart.ts';
import { createHalt, type Halt } from './halt.ts';
import { openSweepFile, readSweepFile, type SweepFile } from './sweep-file.ts';

export interface SweepOptions {
  readonly started: SweepStarted;
  readonly launch: Launch;
  readonly file: string;
  /** Go on with what is in the file. */
  readonly resume: boolean;
  /** Runs at a time. */
  readonly jobs: number;
  /** Nothing goes on after this many ms. */
  readonly maxTimeMs?: number;
  readonly stopOn: 'first' | 'never';
  /** With how many seeds are to run, and what an earlier process found. */
  onBegin?(planned: number, before: readonly RunEndedRecord[]): void;
  onControl?(control: ControlEnded): void;
  onRun?(run: RunEndedRecord): void;
}

/** Where the runs of this file leave their journals. */
export function runsFolder(file: string): string {
  return `${file.replace(/\.ndjson$/, '')}.runs`;
}

/** Resolves with what the file says at the end. Takes over SIGINT, SIGTERM and SIGHUP while it lasts. */
export async function sweep(options: SweepOptions): Promise<SweepPart> {
  const file = openSweepFile(options.file, options.started, options.resume);
  const startedAt = performance.now();
  const halt = createHalt(options.maxTimeMs);
  try {
    const reason = await conduct(options, file, halt);
    file.append({
      kind: 'sweep-ended',
      reason,
      durationMs: Math.round(performance.now() - startedAt),
    });
  } finally {
    halt.end();
    file.close();
  }
  return readSweepFile(options.file);
}

async function conduct(options: SweepOptions, file: SweepFile, halt: Halt): Promise<SweepEnded['reason']> {
  const { started, before } = { started: options.started, before: file.before };
  const folder = runsFolder(options.file);
  const passed = before.control?.failed === undefined ? before.control : undefined;
  const control = passed ?? (await runControl(options, join(folder, 'control'), halt));
  if (control === undefined) return halt.reason() ?? 'interrupted';
  if (passed === undefined) file.append(control);
  options.onControl?.(control);
  if (control.failed !== undefined) return 'void';

  const done = new Set(before.runs.map(({ seed }) => seed));
  const queue = seedsOf(started.seeds, started.shard).filter((seed) => !done.has(seed));
  options.onBegin?.(queue.length + done.size, before.runs);
  const underway = new Map<number, AbortController>();
  let first = Infinity;
  const noteFailure = (run: RunEndedRecord): void => {
    if (options.stopOn === 'never' || !failsAlone(started, run) || run.seed > first) return;
    first = run.seed;
    for (const [seed, own] of underway) if (seed > first) own.abort();
  };
  for (const run of before.runs) noteFailure(run);

  const work = async (): Promise<void> => {
    for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) {
      if (halt.stop.aborted || seed > first) return;
      const own = new AbortController();
      underway.set(seed, own);
      const stop = AbortSignal.any([halt.stop, own.signal]);
      const flags = ['--profile', started.profile, '--seed', String(seed)];
      const apart = await runApart(options.launch, flags, join(folder, String(seed)), {
        stop,
        kill: halt.kill,
      });
      underway.delete(seed);
      if (stop.aborted) {
        // It did not come to its end: it is as if it had never begun.
        rmSync(apart.folder, { recursive: true, force: true });
        continue;
      }
      const run = recordOf(apart, seed, started);
      file.append(run);
      if (isUneventful(run)) rmSync(apart.folder, { recursive: true, force: true });
      noteFailure(run);
      options.onRun?.(run);
    }
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  if (halt.stop.aborted) return halt.reason() ?? 'interrupted';
  return first === Infinity ? 'complete' : 'first-failure';
}

async function runControl(
  { launch }: SweepOptions,
  folder: string,
  halt: Halt,
): Promise<ControlEnded | undefined> {
  const { report, code, signal, durationMs } = await runApart(
    launch,
    ['--profile', 'calm', '--seed', 'control'],
    folder,
    halt,
  );
  if (halt.stop.aborted) return undefined;
  const requests = report?.traffic.requests ?? 0;
  const failed = whyFailed();
  return {
    kind: 'control-ended',
    exitCode: report?.exitCode ?? 70,
    durationMs,
    requests,
    ...(failed === undefined ? {} : { failed }),
  };

  function whyFailed(): string | undefined {
    const look = `(${join(folder, 'output.txt')})`;
    if (report === undefined)
      return `the control left no report: it ${signal === null ? `exited with ${code}` : `was ended by ${signal}`} ${look}`;
    if (report.void) return `the control is void: ${report.notes[0] ?? 'no reason is known'} ${look}`;
    const ours = report.notes.find((note) => note.startsWith('the run failed: '));
    if (ours !== undefined)
      return `the control could not be carried out: ${ours.slice('the run failed: '.length)}`;
    if (report.exitCode !== 0)
      return `the command fails by itself, with nothing injected: it exited with ${report.exitCode} ${look}`;
    if (requests === 0) return `the command passes and never connected to an MCP server ${look}`;
    return undefined;
  }
}

function recordOf(
  { report, code, signal, durationMs }: ApartRun,
  seed: number,
  { policy }: SweepStarted,
): RunEndedRecord {
  if (report !== undefined) return distil(report, seed, durationMs, policy);
  const how = signal === null ? `exited with ${code}` : `was ended by ${signal}`;
  return lostRun(seed, durationMs, `it ${how} and left no report`);
}

/** Its journal would tell nothing that the sweep's file does not. */
function isUneventful(run: RunEndedRecord): boolean {
  return !run.void && run.findings.length === 0 && (run.exitCode === 0 || run.exitCode === 2);
}
