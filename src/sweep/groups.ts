/** Each way to fail once, with the seeds that show it. */
import { type Finding, levelsStrictFirst } from '../watcher/report.ts';
import { distinctId, distinctOf } from './distinct.ts';
import type { RunEndedRecord } from './record.ts';
import type { FindingGroup } from './report.ts';

/** `runs` are in the order of seeds; `failing` are the findings that fail the sweep. */
export function groups(
  runs: readonly RunEndedRecord[],
  failing: ReadonlySet<Finding>,
): readonly FindingGroup[] {
  const found = new Map<string, { readonly seed: number; readonly finding: Finding }[]>();
  for (const { seed, findings } of runs) {
    for (const finding of findings) {
      const id = distinctId(distinctOf(finding));
      const own = found.get(id) ?? [];
      own.push({ seed, finding });
      found.set(id, own);
    }
  }
  return [...found]
    .map(([id, own]): FindingGroup => {
      const fails = own.some(({ finding }) => failing.has(finding));
      // What the seeds show best is what fails, where only some of them do.
      const { finding } = own.find((one) => failing.has(one.finding)) ?? own[0]!;
      return {
        id,
        ...distinctOf(finding),
        level: finding.level,
        fails,
        count: own.length,
        seeds: [...new Set(own.map(({ seed }) => seed))],
        scopes: [...new Set(own.map((one) => one.finding.scope))].sort(),
        example: finding,
      };
    })
    .sort(worseFirst);
}

function worseFirst(a: FindingGroup, b: FindingGroup): number {
  return (
    Number(b.fails) - Number(a.fails) ||
    levelsStrictFirst.indexOf(a.level) - levelsStrictFirst.indexOf(b.level) ||
    b.seeds.length - a.seeds.length ||
    (a.id < b.id ? -1 : 1)
  );
}
