/** Outcomes in the order in which people should hear of them. */
import type { Outcome } from '../watcher/report.ts';

/** Worst first, for sorting and for naming. */
export const outcomesWorstFirst = [
  'crashed',
  'accepted',
  'hung',
  'stuck',
  'timed-out',
  'overreacted',
  'undetermined',
  'surfaced',
  'reset',
  'recovered',
] as const satisfies readonly Outcome[];

/** Outcomes that count as detection (README, outcomes). */
export const detectedOutcomes = ['recovered', 'reset', 'surfaced'] as const satisfies readonly Outcome[];
