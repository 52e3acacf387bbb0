/** What is remembered of a lane's calls, so that each gets its site, and few faults strike one session. */
import type { CallSite } from './site.ts';

export interface CallLane {
  readonly upstream: { readonly name: string };
  /** Where it began. */
  readonly scope: string;
  /** Its ordinal in that scope. */
  readonly name: string;
  readonly occurrences: Map<string, number>;
  readonly ordinals: Map<string, number>;
  /** Scopes that had their session fault: at most one each, so that a reaction can be attributed. */
  readonly sessionFaults: Set<string>;
  /** The schedule was asked about the stand-alone stream: once a lane, for how often a client asks is a matter of timing. */
  standaloneArmed: boolean;
}

/** One call as the client sent it. */
export type CallName = Pick<CallSite, 'method' | 'tool' | 'digest'>;

/** The stand-alone stream as a call. */
export const standaloneGet: CallName = { method: 'GET', tool: '', digest: '' };

/** Nothing was sent yet. */
export function noCalls(): Pick<CallLane, 'occurrences' | 'ordinals' | 'sessionFaults' | 'standaloneArmed'> {
  return { occurrences: new Map(), ordinals: new Map(), sessionFaults: new Set(), standaloneArmed: false };
}

/**
 * The next call's site in its lane, and its ordinal among requests of that method. A session that began elsewhere
 * (in a hook) is counted anew in each scope that uses it, so that no test moves another's sites.
 */
export function nextSite(
  lane: CallLane,
  scope: string,
  call: CallName,
): { readonly site: CallSite; readonly ordinal: number } {
  const occurrence = bump(lane.occurrences, `${scope}\n${call.method}\n${call.tool}\n${call.digest}`);
  const ordinal = bump(lane.ordinals, `${scope}\n${call.method}`);
  return { site: siteOf(lane, scope, call, occurrence), ordinal };
}

/** The site of the `occurrence`-th such call, from 1; nothing is counted. */
export function siteOf(lane: CallLane, scope: string, call: CallName, occurrence: number): CallSite {
  const name = scope === lane.scope ? lane.name : `${lane.scope}:${lane.name}`;
  return { upstream: lane.upstream.name, scope, lane: name, ...call, occurrence };
}

function bump(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}
