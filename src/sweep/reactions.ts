/** What clients did, counted. */
import type { Outcome } from '../watcher/report.ts';

export type Reactions = Readonly<Partial<Record<Outcome, number>>>;

export function addReactions(all: Iterable<Reactions>): Reactions {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const some of all) {
    for (const [outcome, count] of Object.entries(some) as [Outcome, number][]) {
      counts[outcome] = (counts[outcome] ?? 0) + count;
    }
  }
  return counts;
}
