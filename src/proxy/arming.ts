/**
 * Arming: asks the schedule about one call and writes its decision down.
 */

import type { BoundFault } from '../faults/bound-fault.ts';
import { describeEffects, type Effect } from '../faults/effect.ts';
import type { CallView, Subject } from '../faults/fault.ts';
import { faultNamed } from '../faults/index.ts';
import type { Seam } from '../history/fact.ts';
import type { Profile } from '../profiles/schema.ts';
import { arm, armExplicit, decisionId } from '../schedule/arm.ts';
import type { Decision, ScheduleSubject } from '../schedule/decision.ts';
import { type CallSite, siteKey } from '../schedule/site.ts';
import type { Waiting } from './by-hand.ts';
import type { Lane } from './lanes.ts';
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
  /** What a person wants the next call of a scope to meet. */
  readonly waiting?: Waiting | undefined;
}

/** Where a call stands in its lane. */
export interface Place {
  readonly site: CallSite;
  readonly ordinal: number;
}

/** The one decision for this call, recorded, or undefined. */
export function armCall(
  options: ArmingOptions,
  lane: Lane,
  { site, ordinal }: Place,
  view: CallView,
  exchange: number,
  record: Recorder,
): Armed | undefined {
  const managed = lane.upstream.process !== undefined;
  const hand = options.waiting?.take(site.scope, view);
  const decision =
    hand === undefined
      ? decideFor(options, { site, call: view, ordinal, managed })
      : byHand(hand.fault, hand.params, siteKey(site));
  if (decision === undefined) return undefined;
  const fault = faultNamed(decision.fault);
  if (fault === undefined) return undefined;
  if (fault.reach === 'session') {
    if (lane.sessionFaults.has(site.scope)) return undefined;
    lane.sessionFaults.add(site.scope);
  }
  const bound = fault.bind(decision.params);
  const by = hand === undefined ? {} : { by: 'hand' as const };
  record({ kind: 'decision', ...decision, seam: bound.seam, exchange, ...by });
  if (fault.needs === 'managed upstream' && !managed) {
    const why = 'the run did not start this upstream, so it cannot restart it: --upstream-cmd says how';
    record({ kind: 'not-applicable', decision: decision.id, why });
    return undefined;
  }
  return armed(decision, bound);
}

function decideFor(options: ArmingOptions, subject: ScheduleSubject): Decision | undefined {
  const decision =
    options.decisions === undefined
      ? arm(options.profile, options.seed, subject)
      : armExplicit(options.decisions, subject);
  const { only } = options;
  return decision === undefined || (only !== undefined && !only.includes(decision.id)) ? undefined : decision;
}

/** No rule made it. */
export function byHand(
  fault: string,
  params: Readonly<Record<string, unknown>> | undefined,
  site: string,
): Decision {
  const bound = faultNamed(fault)!.bind(params ?? {});
  return { id: decisionId(fault, site), rule: -1, fault, site, params: bound.params };
}

export function armed(decision: Decision, { reach, seam, plan }: BoundFault): Armed {
  return { decision, reach, seam, plan };
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
