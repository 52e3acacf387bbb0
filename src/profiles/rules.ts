/** The rules of a profile: what their shape alone cannot say. */
import type { AnyFault } from '../faults/bound-fault.ts';
import { faultNamed, faults } from '../faults/index.ts';
import { suggestion } from './did-you-mean.ts';
import { readParams } from './fault-params.ts';
import type { Problem } from './problem.ts';
import type { Rule, RuleText, When } from './schema.ts';

/** What clients ask for in MCP, and the stand-alone stream. Others may exist; one letter off is a mistake. */
const methods = [
  'GET',
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'tools/call',
  'tools/list',
];

/** Rules with their place in the file's list. */
export function readRules(texts: Iterable<readonly [number, RuleText]>): {
  readonly rules: readonly Rule[];
  readonly problems: readonly Problem[];
} {
  const rules: Rule[] = [];
  const problems: Problem[] = [];
  for (const [index, text] of texts) {
    const path = ['rules', index];
    const fault = faultNamed(text.fault);
    if (fault === undefined) {
      const names = faults.map(({ name }) => name);
      problems.push({
        path: [...path, 'fault'],
        what: `unknown fault "${text.fault}".${suggestion(text.fault, names)}`,
      });
      continue;
    }
    const { params, problems: wrongParams } = readParams(fault, text.params ?? {}, [...path, 'params']);
    const when = readWhen(text.when ?? {});
    problems.push(...wrongParams, ...checkWhen(fault, when, [...path, 'when']), ...checkHowOften(text, path));
    rules.push({
      fault: fault.name,
      params,
      when,
      ...(text.chance === undefined ? {} : { chance: text.chance }),
      ...(text.nth === undefined ? {} : { nth: text.nth }),
    });
  }
  return { rules, problems };
}

function readWhen({ channel, method, tool, scope, managed }: NonNullable<RuleText['when']>): When {
  return {
    ...(channel === undefined ? {} : { channel }),
    ...(method === undefined ? {} : { method: [method].flat() }),
    ...(tool === undefined ? {} : { tool: [tool].flat() }),
    ...(scope === undefined ? {} : { scope: [scope].flat() }),
    ...(managed === undefined ? {} : { managed }),
  };
}

function checkHowOften({ chance, nth }: RuleText, path: readonly PropertyKey[]): readonly Problem[] {
  if ((chance === undefined) !== (nth === undefined)) return [];
  const found = chance === undefined ? 'has neither' : 'has both';
  return [{ path, what: `${found} (expected either chance or nth)` }];
}

/** A rule that can fit no call would look like coverage and be none. */
function checkWhen(fault: AnyFault, when: When, path: readonly PropertyKey[]): readonly Problem[] {
  const problems: Problem[] = [];
  for (const method of when.method ?? []) {
    const near = methods.includes(method) ? '' : suggestion(method, methods);
    if (near !== '') problems.push({ path: [...path, 'method'], what: `unknown method "${method}".${near}` });
    if (when.channel !== undefined && (method === 'GET') !== (when.channel === 'GET')) {
      problems.push({
        path: [...path, 'channel'],
        what: `method "${method}" never comes by ${when.channel}`,
      });
    }
  }
  if (when.tool !== undefined && when.method !== undefined && !when.method.includes('tools/call')) {
    problems.push({ path: [...path, 'tool'], what: 'only method "tools/call" has a tool' });
  }
  const channels = channelsOf(when);
  if (!fault.channels.some((channel) => channels.includes(channel))) {
    const what = `fits no call: fault "${fault.name}" acts on ${fault.channels.join(' and ')} only`;
    problems.push({ path, what });
  }
  return problems;
}

function channelsOf({ channel, method, tool }: When): readonly ('POST' | 'GET')[] {
  if (channel !== undefined) return [channel];
  if (tool !== undefined) return ['POST'];
  if (method === undefined) return ['POST', 'GET'];
  return [...new Set(method.map((name) => (name === 'GET' ? 'GET' : 'POST')))];
}

/** A profile with both kinds of rules has to say how lanes are shared out; with one kind there is nothing to say. */
export function sessionShare(
  rules: readonly Rule[],
  given: number | undefined,
): { readonly value: number; readonly problems: readonly Problem[] } {
  const session = rules.filter(isSessionRule).length;
  const stream = rules.length - session;
  if (given === undefined && (session === 0 || stream === 0))
    return { value: session === 0 ? 0 : 1, problems: [] };
  const what = objectionToShare(given, session, stream);
  return { value: given ?? 0, problems: what === undefined ? [] : [{ path: ['sessionFaults'], what }] };
}

function objectionToShare(given: number | undefined, session: number, stream: number): string | undefined {
  if (given === undefined) {
    return 'is missing (expected the share of sessions that get a session fault and no stream faults, for there are rules for both)';
  }
  if (given > 0 && session === 0) return `found ${given}, but no rule has a session fault`;
  if (given === 0 && session > 0) return 'found 0, with which the rules for session faults never act';
  if (given === 1 && stream > 0) return 'found 1, with which the rules for stream faults never act';
  return undefined;
}

function isSessionRule(rule: Rule): boolean {
  return faultNamed(rule.fault)?.reach === 'session';
}
