/** Which rules are for a call. */
import { faultNamed } from '../faults/index.ts';
import type { Profile, Rule } from '../profiles/schema.ts';
import type { ScheduleSubject } from './decision.ts';

/** A rule with its index in the profile, which is part of the address of its draws. */
export interface RuleAt {
  readonly rule: Rule;
  readonly index: number;
}

export function rulesWithReach(profile: Profile, reach: 'stream' | 'session'): readonly RuleAt[] {
  return profile.rules
    .map((rule, index) => ({ rule, index }))
    .filter(({ rule }) => faultNamed(rule.fault)?.reach === reach);
}

export function matches(rule: Rule, { site, call }: ScheduleSubject): boolean {
  const { channel, method, tool } = rule.when;
  if (channel !== undefined && channel !== call.channel) return false;
  if (method === undefined ? site.method === 'initialize' : !method.includes(site.method)) return false;
  if (tool !== undefined && !tool.includes(site.tool)) return false;
  return faultNamed(rule.fault)?.channels.includes(call.channel) === true;
}
