/** Two runs of one seed: did they decide the same, and where did they part first? */
import type { Decision } from './decision.ts';
import { decisionsDigest } from './decisions-digest.ts';
import type { SeenCall } from './explain.ts';

export interface Parting {
  readonly site: string;
  /** `upstream/scope/lane`: what else was sent there is around it in the two logs. */
  readonly lane: string;
  /** The call of each run at that site; undefined = it was never sent. */
  readonly one: SeenCall | undefined;
  readonly two: SeenCall | undefined;
}

/** Undefined where every decision is the same. */
export function parting(one: readonly SeenCall[], two: readonly SeenCall[]): Parting | undefined {
  if (decisionsDigest(decided(one)) === decisionsDigest(decided(two))) return undefined;
  const [first, second] = [bySite(one), bySite(two)];
  // In the order of the run that has it: a site that only the other one has is met last.
  for (const { site, lane } of [...one, ...two]) {
    const [a, b] = [first.get(site), second.get(site)];
    const same = a !== undefined && b !== undefined && sameDecision(a.decision, b.decision);
    if (!same) return { site, lane, one: a, two: b };
  }
  return undefined;
}

/** The calls of a lane around one of its sites, or its last ones where it was never sent. */
export function around(calls: readonly SeenCall[], { lane, site }: Parting, each = 3): readonly SeenCall[] {
  const own = calls.filter((call) => call.lane === lane);
  const at = own.findIndex((call) => call.site === site);
  return at < 0 ? own.slice(-each) : own.slice(Math.max(0, at - each), at + each + 1);
}

function decided(calls: readonly SeenCall[]): readonly Decision[] {
  return calls.flatMap(({ decision }) => decision ?? []);
}

function bySite(calls: readonly SeenCall[]): ReadonlyMap<string, SeenCall> {
  return new Map(calls.map((call) => [call.site, call]));
}

function sameDecision(a: Decision | undefined, b: Decision | undefined): boolean {
  return a?.fault === b?.fault && JSON.stringify(a?.params) === JSON.stringify(b?.params);
}
