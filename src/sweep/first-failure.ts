/** `--stop-on first`: the lowest seed that fails is the last one that counts, however many jobs ran ahead of it. */
import { failuresOf } from '../watcher/policy.ts';
import type { RunEndedRecord, SweepStarted } from './record.ts';

/** What fails by itself: a ratio of all seeds is nothing that one of them could fail. */
export function failsAlone(
  { policy, faults }: Pick<SweepStarted, 'policy' | 'faults'>,
  run: RunEndedRecord,
): boolean {
  if (run.void) return false;
  if (faults.length === 0) return run.exitCode !== 0;
  const { minDetection: _, ...alone } = policy;
  const { findings, suite } = failuresOf(run, alone);
  return findings.length > 0 || suite;
}

/** The runs up to the first that fails. */
export function upToFirstFailure(
  started: Pick<SweepStarted, 'policy' | 'faults'>,
  runs: readonly RunEndedRecord[],
): readonly RunEndedRecord[] {
  const failing = runs.filter((run) => failsAlone(started, run)).map(({ seed }) => seed);
  const first = Math.min(...failing);
  return runs.filter(({ seed }) => seed <= first);
}
