/**
 * Arming: asks the schedule about one call and writes its decision down.
 */

import { describeEffects, type Effect } from '../faults/effect.ts';
import type { CallView, Subject } from '../faults/fault.ts';
import { faultNamed } from '../faults/index.ts';
import type { Seam } from '../history/fact.ts';
import type { Profile } from '../profiles/schema.ts';
import { arm, armExplicit } from '../schedule/arm.ts';
import type { Decision } from '../schedule/decision.ts';
import { type Lane, nextSite } from './lanes.ts';
import type { Recorder } from './recorder.ts';

/** A decision bound to its fault. */
export interface Armed {
  readonly decision: Decision;
  readonly reach: 'stream' | 'session';
  /** The seam at which the fault counts as applied. */
  readonly seam: Seam;
  plan(subject: Subject): readonly Effect[] | undefined;
}

export interface ArmingOptions {
  readonly profile: Profile;
  readonly seed: string;
  /** Recorded decisions: applied as written, never drawn again. */
  readonly decisions: readonly Decision[] | undefined;
  /** Only these decision ids may act. */
  readonly only: readonly string[] | undefined;
}

/** One call as the client sent it. */
export interface Call {
  readonly method: string;
  readonly tool: string;
  readonly digest: string;
}

/** The one decision for this call, recorded, or undefined. `taken` = the exchange has one already: the site only counts. */
export function armCall(
  options: ArmingOptions,
  lane: Lane,
  scope: string,
  call: Call,
  view: CallView,
  exchange: number,
  record: Recorder,
  taken = false,
): Armed | undefined {
  const { site, ordinal } = nextSite(lane, scope, call);
  if (taken) return undefined;
  const managed = lane.upstream.process !== undefined;
  const subject = { site, call: view, ordinal, managed };
  const decision =
    options.decisions === undefined
      ? arm(options.profile, options.seed, subject)
      : armExplicit(options.decisions, subject);
  if (decision === undefined) return undefined;
  if (options.only !== undefined && !options.only.includes(decision.id)) return undefined;
  const fault = faultNamed(decision.fault);
  if (fault === undefined) return undefined;
  if (fault.reach === 'session') {
    if (lane.sessionFaults.has(scope)) return undefined;
    lane.sessionFaults.add(scope);
  }
  const bound = fault.bind(decision.params);
  record({ kind: 'decision', ...decision, seam: bound.seam, exchange });
  if (fault.needs === 'managed upstream' && !managed) {
    const why = 'the run did not start this upstream, so it cannot restart it: --upstream-cmd says how';
    record({ kind: 'not-applicable', decision: decision.id, why });
    return undefined;
  }
  return { decision, reach: fault.reach, seam: bound.seam, plan: bound.plan };
}

/** Asks a decision about a subject; `undefined` = it passes. What it does is recorded, and watched. */
export function applyDecision(
  run: { readonly record: Recorder; watch(since: number): void },
  armed: Armed | undefined,
  subject: Subject,
  exchange: number,
  stream: string | undefined,
): readonly Effect[] | undefined {
  const effects = armed?.plan(subject);
  if (armed === undefined || effects === undefined) return undefined;
  if (effects.length === 1 && effects[0]!.do === 'pass') return undefined;
  const seq = run.record({
    kind: 'applied',
    decision: armed.decision.id,
    exchange,
    ...(stream === undefined ? {} : { stream }),
    seam: subject.seam,
    ...(subject.seam === 'frame' ? { frame: subject.frame.index } : {}),
    prelude: subject.seam !== armed.seam,
    effects: describeEffects(effects),
  });
  run.watch(seq);
  return effects;
}
