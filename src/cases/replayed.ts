/** What a replay says of its case. */

import { type Distinct, distinctId, distinctOf } from '../sweep/distinct.ts';
import { isFailure } from '../watcher/policy.ts';
import type { Finding, Report } from '../watcher/report.ts';
import { type Case, decisionsOf } from './case.ts';

export type Replayed =
  /** The recorded finding is there again. */
  | { readonly verdict: 'still-failing'; readonly finding: Finding }
  /** Another failure of the same decisions is there instead. */
  | { readonly verdict: 'fails-differently'; readonly finding: Finding }
  /** Every decision was applied, and all that came of them is well. */
  | { readonly verdict: 'fixed' }
  /** A decision found no place: the traffic is another. */
  | { readonly verdict: 'unreachable'; readonly missing: readonly string[] }
  /** The evidence does not decide, or the run is void. */
  | { readonly verdict: 'undecided'; readonly why: string };

/** The finding that a case or a shrink looks for, if the run shows it. */
export function findingLike(report: Report, wanted: Distinct): Finding | undefined {
  const id = distinctId(wanted);
  return report.findings.find(
    (finding) => finding.verdict !== 'moot' && distinctId(distinctOf(finding)) === id,
  );
}

export function replayed(one: Case, report: Report): Replayed {
  if (report.void) return { verdict: 'undecided', why: report.notes[0] ?? 'the run is void' };
  const again = findingLike(report, one.finding);
  if (again !== undefined) return { verdict: 'still-failing', finding: again };
  const decisions = decisionsOf(one);
  const own = report.findings.filter(({ decision }) => decisions.some(({ id }) => id === decision));
  const other = own.find(isFailure);
  if (other !== undefined) return { verdict: 'fails-differently', finding: other };
  // A client may answer the first sign of a fault before it has done all it was to do.
  const missing = decisions.filter(
    ({ id }) =>
      !report.decisions.some((row) => row.id === id && row.applied) &&
      !own.some(({ decision }) => decision === id),
  );
  if (missing.length > 0) {
    return { verdict: 'unreachable', missing: missing.map(({ fault, site }) => `${fault} at ${site}`) };
  }
  const open = own.find(({ verdict }) => verdict === 'undetermined');
  if (open !== undefined) return { verdict: 'undecided', why: open.message.did };
  return { verdict: 'fixed' };
}
