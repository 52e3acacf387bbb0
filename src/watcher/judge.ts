/** Judges a history: what a run does at its end, and `check` with a stored journal. */
import type { Fact } from '../history/fact.ts';
import type { Report } from './report.ts';
import { createWatcher } from './watcher.ts';

export function judge(facts: Iterable<Fact>): Report {
  const watcher = createWatcher();
  for (const fact of facts) watcher.observe(fact);
  return watcher.finish();
}
