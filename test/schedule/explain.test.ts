/** Calls are read off a journal as the proxy saw them: what it decided is found again, at the same sites. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeJournal } from '../../src/history/codec.ts';
import type { Fact, FactBody } from '../../src/history/fact.ts';
import { armExplicit } from '../../src/schedule/arm.ts';
import { around, parting } from '../../src/schedule/compare.ts';
import type { Decision, ScheduleSubject } from '../../src/schedule/decision.ts';
import { explain, type SeenCall } from '../../src/schedule/explain.ts';

const stored = (name: string): readonly Fact[] =>
  decodeJournal(readFileSync(new URL(`../journals/${name}`, import.meta.url), 'utf8')).facts;
const recorded = (facts: readonly Fact[]) =>
  facts.filter((fact): fact is Extract<Fact, { kind: 'decision' }> => fact.kind === 'decision');

test.each(['desync.ndjson', 'first-seed.ndjson'])(
  'of %s: every recorded decision is found at its site, in its exchange',
  (name) => {
    const facts = stored(name);
    const decisions = recorded(facts);
    expect(decisions.length).toBeGreaterThan(0);
    const calls = explain(facts, 'monotonic:stream', (subject) => armExplicit(decisions, subject));
    expect(
      calls.flatMap(({ exchange, site, decision }) =>
        decision === undefined ? [] : [{ exchange, site, id: decision.id }],
      ),
    ).toEqual(decisions.map(({ exchange, site, id }) => ({ exchange, site, id })));
    expect(calls.length).toBeGreaterThan(decisions.length);
  },
);

/** A journal of requests alone. */
function journal(...bodies: readonly FactBody[]): readonly Fact[] {
  return bodies.map((body, at) => ({ seq: at + 1, at, ...body }));
}

let exchanges = 0;
function request(
  verb: string,
  over: Partial<Extract<FactBody, { kind: 'request' }>>,
  ...messages: readonly object[]
): readonly FactBody[] {
  exchanges += 1;
  return [
    {
      kind: 'request',
      exchange: exchanges,
      connection: 1,
      upstream: 'embedded',
      scope: 'main',
      lane: 's1',
      verb,
      path: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      session: 'abc',
      protocolVersion: '2025-11-25',
      mcp: true,
      ...over,
    },
    ...(messages.length === 0
      ? []
      : [
          {
            kind: 'request-body' as const,
            exchange: exchanges,
            body: { text: JSON.stringify(messages.length === 1 ? messages[0] : messages) },
          },
        ]),
  ];
}
const call = (id: number, tool: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: tool, arguments: args },
});

/** What the schedule was asked. */
function asked(
  facts: readonly Fact[],
  answer: (subject: ScheduleSubject) => Decision | undefined = () => undefined,
) {
  const subjects: ScheduleSubject[] = [];
  const calls = explain(facts, 'epoch', (subject) => {
    subjects.push(subject);
    return answer(subject);
  });
  return { subjects, calls };
}
const decide =
  (fault: string) =>
  ({ site }: ScheduleSubject): Decision => ({
    id: `${fault}-${site.occurrence}`,
    rule: 0,
    fault,
    site: site.method,
    params: {},
  });

describe('what is a call', () => {
  test('each request of a batch, with its occurrence; notifications and responses are none', () => {
    const facts = journal(
      ...request(
        'POST',
        {},
        call(1, 'count', { n: 1 }),
        { jsonrpc: '2.0', method: 'notifications/x' },
        call(2, 'count', { n: 1 }),
      ),
      ...request('POST', {}, { jsonrpc: '2.0', id: 9, result: {} }),
      ...request('POST', {}, call(3, 'count', { n: 2 })),
    );
    expect(asked(facts).subjects.map(({ site, ordinal }) => [site.tool, site.occurrence, ordinal])).toEqual([
      ['count', 1, 1],
      ['count', 2, 2],
      ['count', 1, 3],
    ]);
  });

  test('the stand-alone stream once a lane; a resumption never', () => {
    const facts = journal(
      ...request('GET', { cursor: '17' }),
      ...request('GET', {}),
      ...request('GET', {}),
      ...request('GET', { lane: 's2', session: 'def' }),
    );
    expect(
      asked(facts).subjects.map(({ site, call: view }) => [site.lane, site.method, view.channel]),
    ).toEqual([
      ['s1', 'GET', 'GET'],
      ['s2', 'GET', 'GET'],
    ]);
  });

  test('nothing that is not MCP, of another family, or to a session that is gone', () => {
    const gone: FactBody = {
      kind: 'applied',
      decision: 'd',
      exchange: exchanges + 3,
      seam: 'request',
      prelude: false,
      effects: 'refuse session with 404',
    };
    const facts = journal(
      ...request('POST', { mcp: false }),
      ...request(
        'POST',
        { protocolVersion: '2026-07-28', headers: { 'mcp-method': 'tools/call' } },
        call(1, 'x'),
      ),
      ...request('POST', {}, call(2, 'count')),
      gone,
      ...request('POST', {}, call(3, 'count')),
      ...request('POST', { lane: 's2', session: 'def' }, call(4, 'count')),
    );
    expect(asked(facts).subjects.map(({ site }) => `${site.lane} ${site.tool}`)).toEqual([
      's1 count',
      's2 count',
    ]);
  });
});

test('of a batch the first decision stands, of a lane the first that strikes its session', () => {
  const batch = journal(...request('POST', {}, call(1, 'a'), call(2, 'b')));
  expect(asked(batch, decide('drop-stream')).calls.map(({ decision }) => decision !== undefined)).toEqual([
    true,
    false,
  ]);
  const two = journal(...request('POST', {}, call(1, 'a')), ...request('POST', {}, call(2, 'b')));
  const struck = (fault: string) =>
    asked(two, decide(fault)).calls.map(({ decision }) => decision !== undefined);
  expect(struck('drop-stream')).toEqual([true, true]);
  expect(struck('expire-session')).toEqual([true, false]);
});

test('a session that began in a hook is counted anew in each scope that uses it', () => {
  const hook = { scope: 'hook', session: undefined as never };
  const begun = request('POST', hook, { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} });
  const head: FactBody = {
    kind: 'head',
    exchange: exchanges,
    side: 'both',
    status: 200,
    headers: {},
    session: 'shared',
  };
  const use = (scope: string) => request('POST', { scope, session: 'shared' }, call(1, 'count'));
  const facts = journal(...begun, head, ...use('hook'), ...use('one'), ...use('two'), ...use('one'));
  expect(asked(facts).subjects.map(({ site }) => `${site.scope} ${site.lane} ${site.occurrence}`)).toEqual([
    'hook s1 1',
    'hook s1 1',
    'one hook:s1 1',
    'two hook:s1 1',
    'one hook:s1 2',
  ]);
});

test('a session is one only where the request names it', () => {
  const facts = journal(
    ...request('POST', {}, call(1, 'a')),
    ...request('POST', { session: undefined as never }, call(2, 'b')),
  );
  expect(asked(facts).subjects.map(({ call: view }) => view.hasSession)).toEqual([true, false]);
});

describe('two runs of one seed', () => {
  const seen = (site: string, fault?: string, lane = 'embedded/main/s1'): SeenCall => ({
    exchange: 1,
    at: 0,
    lane,
    method: 'tools/call',
    tool: 'count',
    site: `${lane}/${site}`,
    decision:
      fault === undefined
        ? undefined
        : { id: fault, rule: 0, fault, site: `${lane}/${site}`, params: { after: 1 } },
  });
  const one = [seen('a'), seen('b', 'drop-stream'), seen('c'), seen('d'), seen('e'), seen('f'), seen('g')];

  test('that decided the same do not part, in whatever order lanes had their turn', () => {
    const other = [seen('a', 'skip-events', 'embedded/main/s2')];
    expect(parting([...one, ...other], [...other, ...one])).toBeUndefined();
  });

  test('also where one of them sent more that nothing was decided for', () => {
    expect(parting(one, [...one, seen('h')])).toBeUndefined();
  });

  test('part at the first site with another decision, and what is around it is of that lane', () => {
    const two = one.map((call) => (call.site.endsWith('/e') ? seen('e', 'skip-events') : call));
    const found = parting(one, two)!;
    expect(found.site).toBe('embedded/main/s1/e');
    expect([found.one?.decision?.fault, found.two?.decision?.fault]).toEqual([undefined, 'skip-events']);
    const others = [seen('x', undefined, 'embedded/main/s2'), ...one];
    expect(around(others, found, 2).map(({ site }) => site.slice(-1))).toEqual(['c', 'd', 'e', 'f', 'g']);
  });

  test('part where one has a call that the other never sent', () => {
    const two = [...one.slice(0, 1), ...one.slice(2)];
    const found = parting(one, two)!;
    expect([found.site, found.one?.site, found.two]).toEqual([
      'embedded/main/s1/b',
      'embedded/main/s1/b',
      undefined,
    ]);
    expect(around(two, found, 2).map(({ site }) => site.slice(-1))).toEqual(['f', 'g']);
  });

  test('part where parameters differ', () => {
    const changed = one.map((call) =>
      call.decision === undefined ? call : { ...call, decision: { ...call.decision, params: { after: 2 } } },
    );
    expect(parting(one, changed)?.site).toBe('embedded/main/s1/b');
  });
});
