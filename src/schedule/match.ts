/** Which rules are for a call. */
import { faultNamed } from '../faults/index.ts';
import type { Profile, Rule } from '../profiles/schema.ts';
import type { ScheduleSubject } from './decision.ts';

/** A rule with its index in the profile, which is part of the address of its draws. */
export interface RuleAt {
  readonly rule: Rule;
  readonly index: number;
}

/** The rules of one kind that may act on the subject's lane. */
export function rulesFor(
  profile: Profile,
  { site, managed = false }: ScheduleSubject,
  reach: 'stream' | 'session',
): readonly RuleAt[] {
  return profile.rules
    .map((rule, index) => ({ rule, index }))
    .filter(
      ({ rule }) =>
        faultNamed(rule.fault)?.reach === reach &&
        isForScope(rule, site.scope) &&
        (rule.when.managed ?? managed) === managed,
    );
}

function isForScope({ when }: Rule, scope: string): boolean {
  return when.scope === undefined || when.scope.some((pattern) => fits(pattern, scope));
}

/** `*` stands for any characters, everything else for itself. */
function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === text;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop()!;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

export function matches(rule: Rule, { site, call }: ScheduleSubject): boolean {
  const { channel, method, tool } = rule.when;
  if (channel !== undefined && channel !== call.channel) return false;
  if (method === undefined ? site.method === 'initialize' : !method.includes(site.method)) return false;
  if (tool !== undefined && !tool.includes(site.tool)) return false;
  return faultNamed(rule.fault)?.channels.includes(call.channel) === true;
}
