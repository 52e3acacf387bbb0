/**
 * Progress of a sweep on stderr: a bar where somebody watches, else a line now and then. Both say how far it
 * is, how long it will take, and what clients did so far.
 */
import { performance } from 'node:perf_hooks';
import type { SingleBar } from 'cli-progress';
import { plural } from '../report/lines.ts';
import { addReactions, type Reactions } from '../sweep/reactions.ts';
import type { RunEndedRecord } from '../sweep/record.ts';
import { outcomesWorstFirst } from '../watcher/report.ts';
import { say } from './say.ts';

export interface SweepProgress {
  begin(planned: number, before: readonly RunEndedRecord[]): void;
  run(run: RunEndedRecord): void;
  /** Clears the bar. */
  stop(): void;
}

interface Screen extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
}

/** A line no more often than this where there is no terminal. */
const sparseMs = 15_000;

export async function sweepProgress(screen: Screen): Promise<SweepProgress> {
  const watched = screen.isTTY === true && process.env.TERM !== 'dumb';
  const bar = watched ? await progressBar(screen) : undefined;
  let reactions: Reactions = {};
  let planned = 0;
  let done = 0;
  let saidAt = performance.now();
  const startedAt = performance.now();
  let atStart = 0;
  return {
    begin(total, before) {
      planned = total;
      done = before.length;
      atStart = before.length;
      reactions = addReactions(before.map(({ outcomes }) => outcomes));
      bar?.start(total, done, { reactions: reactionsText(reactions) });
    },
    run(run) {
      done += 1;
      reactions = addReactions([reactions, run.outcomes]);
      bar?.update(done, { reactions: reactionsText(reactions) });
      if (bar !== undefined || performance.now() - saidAt < sparseMs) return;
      saidAt = performance.now();
      const each = (performance.now() - startedAt) / (done - atStart);
      const left = Math.round((each * (planned - done)) / 1000);
      say(
        `mcp-chaos: ${done} of ${plural(planned, 'seed')}, about ${left} s left; ${reactionsText(reactions)}`,
      );
    },
    stop: () => bar?.stop(),
  };
}

/** Loaded only here: no other command shows a bar. */
async function progressBar(screen: NodeJS.WritableStream): Promise<SingleBar> {
  const { default: progress } = await import('cli-progress');
  return new progress.SingleBar({
    format: '{bar} {value}/{total} seeds, {eta_formatted} left; {reactions}',
    stream: screen,
    barsize: 20,
    hideCursor: true,
    clearOnComplete: true,
    gracefulExit: false,
    etaBuffer: 20,
  });
}

/** Worst first. */
function reactionsText(reactions: Reactions): string {
  return (
    outcomesWorstFirst
      .filter((outcome) => (reactions[outcome] ?? 0) > 0)
      .map((outcome) => `${outcome} ${reactions[outcome]}`)
      .join(', ') || 'no reaction yet'
  );
}
