/**
 * (profile, seed, call) → at most one decision. Pure and without memory: every draw is keyed by the seed
 * and the site, so the same traffic gets the same decisions in any interleaving.
 */
import { faultNamed } from '../faults/index.ts';
import { sha256Hex } from '../mcp/digest.ts';
import type { ParamDraw, Profile } from '../profiles/schema.ts';
import { keyed } from '../random/keyed.ts';
import type { Decision, ScheduleSubject } from './decision.ts';
import { matches, type RuleAt, rulesFor } from './match.ts';
import { siteKey } from './site.ts';

/**
 * The decision for this call, if any. In a session-fault lane a decision stands at every site where the
 * lane's rule fires, and the shell lets the first one act.
 */
export function arm(profile: Profile, seed: string, subject: ScheduleSubject): Decision | undefined {
  const key = siteKey(subject.site);
  const chosen = isSessionLane(profile, seed, subject)
    ? sessionRule(profile, seed, subject, key)
    : streamRule(profile, seed, subject, key);
  return chosen === undefined ? undefined : decide(chosen, seed, key);
}

/** Recorded decisions, applied as written: nothing is drawn. */
export function armExplicit(decisions: readonly Decision[], subject: ScheduleSubject): Decision | undefined {
  const key = siteKey(subject.site);
  return decisions.find(({ site }) => site === key);
}

/**
 * One draw at the lane's birth. Lanes without a session have none to lose, and where the rules for a scope
 * are of one kind there is nothing to draw.
 */
function isSessionLane(profile: Profile, seed: string, subject: ScheduleSubject): boolean {
  const { site, call } = subject;
  if (!call.hasSession || rulesFor(profile, subject, 'session').length === 0) return false;
  if (rulesFor(profile, subject, 'stream').length === 0) return true;
  return keyed(seed, 'lane', site.upstream, site.scope, site.lane).next() < profile.sessionFaults;
}

/**
 * The lane's one rule, drawn at its birth from all session rules for its scope, whatever the call: else
 * which one a lane gets would depend on the call that came first.
 */
function sessionRule(
  profile: Profile,
  seed: string,
  subject: ScheduleSubject,
  key: string,
): RuleAt | undefined {
  const { upstream, scope, lane } = subject.site;
  const chosen = keyed(seed, 'lane-rule', upstream, scope, lane).pick(rulesFor(profile, subject, 'session'));
  return matches(chosen.rule, subject) && fires(chosen, seed, subject, key) ? chosen : undefined;
}

/** One of the rules that fire; a rule that names this very call by `nth` goes before those that came up by chance. */
function streamRule(
  profile: Profile,
  seed: string,
  subject: ScheduleSubject,
  key: string,
): RuleAt | undefined {
  const firing = rulesFor(profile, subject, 'stream').filter(
    (at) => matches(at.rule, subject) && fires(at, seed, subject, key),
  );
  const named = firing.filter(({ rule }) => rule.nth !== undefined);
  const candidates = named.length > 0 ? named : firing;
  return candidates.length > 1 ? keyed(seed, 'pick', key).pick(candidates) : candidates[0];
}

function fires(at: RuleAt, seed: string, { ordinal }: ScheduleSubject, key: string): boolean {
  const { nth, chance = 0 } = at.rule;
  return nth !== undefined ? ordinal === nth : keyed(seed, 'rule', address(at), key).next() < chance;
}

function decide(at: RuleAt, seed: string, key: string): Decision {
  const { fault, params } = at.rule;
  const drawn = Object.entries(params).map(([name, draw]) => [
    name,
    drawParam(draw, () => keyed(seed, 'params', address(at), key, name)),
  ]);
  return {
    id: decisionId(fault, key),
    rule: at.index,
    fault,
    site: key,
    // Whole, so that a recorded decision means the same after a default has changed.
    params: faultNamed(fault)!.bind(Object.fromEntries(drawn)).params,
  };
}

function drawParam(draw: ParamDraw, random: () => ReturnType<typeof keyed>): unknown {
  switch (draw.draw) {
    case 'value':
      return draw.value;
    case 'range':
      return random().int(draw.min, draw.max);
    case 'oneOf':
      return random().pick(draw.of);
  }
}

function address({ rule, index }: RuleAt): string {
  return `${rule.fault}#${index}`;
}

/** Stable over runs, seeds and profiles: what is broken, and where. 8 hex digits. */
export function decisionId(fault: string, site: string): string {
  return sha256Hex(`${fault}@${site}`).slice(0, 8);
}
