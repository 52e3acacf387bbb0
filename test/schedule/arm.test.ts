import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultNamed } from '../../src/faults/index.ts';
import { parseProfile } from '../../src/profiles/parse.ts';
import type { Profile } from '../../src/profiles/schema.ts';
import { arm, armExplicit, decisionId } from '../../src/schedule/arm.ts';
import type { Decision, ScheduleSubject } from '../../src/schedule/decision.ts';
import { decisionsDigest } from '../../src/schedule/decisions-digest.ts';
import { siteKey } from '../../src/schedule/site.ts';
import { arrive, profileNamed, type Sent, session, suite } from './traffic.ts';

const desync = profileNamed('desync');
const isSession = ({ fault }: Decision): boolean => faultNamed(fault)!.reach === 'session';

function plan(profile: Profile, seed: string, subjects: readonly ScheduleSubject[]): readonly Decision[] {
  return subjects.flatMap((subject) => arm(profile, seed, subject) ?? []);
}

/** As the proxy lets them act: the first session fault of a lane only. */
function applied(decisions: readonly Decision[]): readonly Decision[] {
  const hit = new Set<string>();
  return decisions.filter((decision) => {
    if (!isSession(decision)) return true;
    const lane = decision.site.split('/').slice(0, 3).join('/');
    if (hit.has(lane)) return false;
    hit.add(lane);
    return true;
  });
}

function rules(text: string): Profile {
  return parseProfile(`name: x\ndescription: x\ncontract: monotonic:stream\n${text}`, 'x.yaml');
}

const calls = (count: number): readonly ScheduleSubject[] =>
  arrive(session('t', 's1', count)).filter(({ call }) => call.method === 'tools/call');

describe('the same traffic gets the same decisions', () => {
  test('in 500 interleavings', () => {
    const digests = new Set<string>();
    let widest = 0;
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat(1000)), (turns) => {
        const queues = suite.map((lane) => [...lane]);
        const order: Sent[] = [];
        while (queues.some((queue) => queue.length > 0)) {
          const waiting = queues.filter((queue) => queue.length > 0);
          order.push(waiting[turns.next().value! % waiting.length]!.shift()!);
        }
        const decisions = plan(desync, '42', arrive(order));
        widest = Math.max(widest, decisions.length);
        digests.add(decisionsDigest(decisions));
      }),
      { numRuns: 500, seed: 42 },
    );
    expect(widest).toBeGreaterThan(20);
    expect(digests.size).toBe(1);
  });

  test('and one decision does not depend on whether another was asked for', () => {
    const subjects = arrive(suite.flat());
    const all = new Map(plan(desync, '42', subjects).map((decision) => [decision.site, decision]));
    for (const subject of [...subjects].reverse()) {
      expect(arm(desync, '42', subject)).toEqual(all.get(siteKey(subject.site)));
    }
  });
});

describe('seeds', () => {
  const seeds = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => String(n + 1));

  test('ten seeds give ten plans, of one session and of several', () => {
    for (const lanes of [[session('t', 's1', 12)], suite]) {
      const digests = seeds(10).map((seed) =>
        decisionsDigest(applied(plan(desync, seed, arrive(lanes.flat())))),
      );
      expect(new Set(digests).size).toBe(10);
    }
  });

  test.each([
    ['one session', [session('t', 's1', 12)]],
    ['two sessions', [session('a', 's1', 6), session('b', 's1', 6)]],
    ['four sessions', ['a', 'b', 'c', 'd'].map((scope) => session(scope, 's1', 3))],
  ])('over twenty seeds of twelve calls in %s every fault of desync comes up', (_, lanes) => {
    const subjects = arrive(lanes.flat());
    const seen = new Set(
      seeds(20).flatMap((seed) => applied(plan(desync, seed, subjects)).map(({ fault }) => fault)),
    );
    expect(desync.rules.map(({ fault }) => fault).filter((fault) => !seen.has(fault))).toEqual([]);
  });

  test('a seed of desync breaks most calls of a session without a session fault', () => {
    const counts = seeds(200)
      .map((seed) => plan(desync, seed, calls(12)))
      .filter((decisions) => decisions.length > 0 && !decisions.some(isSession))
      .map((decisions) => decisions.length)
      .sort((a, b) => a - b);
    expect(counts.length).toBeGreaterThan(80);
    expect(counts[0]).toBeGreaterThanOrEqual(6);
    expect(counts[Math.floor(counts.length / 2)]).toBeGreaterThanOrEqual(10);
  });

  test('chance is met: a rule at 0.3 fires at three calls in ten', () => {
    const some = rules('rules: [{ fault: drop-stream, chance: 0.3 }]');
    const fired = seeds(300).reduce((sum, seed) => sum + plan(some, seed, calls(10)).length, 0);
    expect(fired / 3000).toBeGreaterThan(0.27);
    expect(fired / 3000).toBeLessThan(0.33);
  });
});

describe('lanes', () => {
  test('have a session fault or stream faults, never both', () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= 50; seed += 1) {
      const decisions = plan(desync, String(seed), calls(12));
      const session = decisions.filter(isSession);
      kinds.add(session.length > 0 ? 'session' : 'stream');
      if (session.length === 0) continue;
      expect(session).toHaveLength(decisions.length);
      expect(new Set(session.map(({ rule }) => rule)).size).toBe(1);
    }
    expect(kinds.size).toBe(2);
  });

  test('get a session fault as often as the profile says', () => {
    const share = Array.from({ length: 400 }, (_, n) => plan(desync, String(n), calls(12))).filter(
      (decisions) => decisions.some(isSession),
    ).length;
    expect(share / 400).toBeGreaterThan(0.38);
    expect(share / 400).toBeLessThan(0.52);
  });

  test('without a session get stream faults', () => {
    const both = rules(
      'sessionFaults: 0.9\nrules: [{ fault: expire-session, chance: 1 }, { fault: drop-stream, chance: 1 }]',
    );
    const stateless = calls(3).map((subject) => ({
      ...subject,
      call: { ...subject.call, hasSession: false },
    }));
    expect(plan(both, '42', stateless).map(({ fault }) => fault)).toEqual([
      'drop-stream',
      'drop-stream',
      'drop-stream',
    ]);
  });
});

describe('rules', () => {
  const subjects = arrive(session('t', 's1', 4));
  const hit = (text: string): readonly string[] =>
    plan(rules(`rules: [${text}]`), '42', subjects).map(({ site }) =>
      decodeURIComponent(site.split('/').slice(3, 5).join(' ')),
    );

  test.each([
    [
      'every method but initialize',
      '{ fault: drop-stream, chance: 1 }',
      [
        'GET ',
        'tools/list ',
        'tools/call count',
        'tools/call count',
        'tools/call charge',
        'tools/call count',
      ],
    ],
    [
      'initialize where it is asked for',
      '{ fault: drop-stream, when: { method: initialize }, chance: 1 }',
      ['initialize '],
    ],
    ['one channel', '{ fault: drop-stream, when: { channel: GET }, chance: 1 }', ['GET ']],
    [
      'some methods',
      '{ fault: drop-stream, when: { method: [GET, tools/list] }, chance: 1 }',
      ['GET ', 'tools/list '],
    ],
    ['a tool', '{ fault: drop-stream, when: { tool: charge }, chance: 1 }', ['tools/call charge']],
    ['the channels of the fault', '{ fault: refuse-get, chance: 1 }', ['GET ']],
    [
      'the n-th request of a method',
      '{ fault: drop-stream, when: { method: tools/call }, nth: 3 }',
      ['tools/call charge'],
    ],
  ])('fit %s', (_, text, expected) => {
    expect(hit(text)).toEqual(expected);
  });

  test('that name a call by nth go before those that came up by chance', () => {
    const both = rules(
      'rules: [{ fault: stall-stream, chance: 1 }, { fault: drop-stream, when: { method: tools/call }, nth: 2 }]',
    );
    const faults = Array.from({ length: 20 }, (_, seed) =>
      plan(both, String(seed), calls(2)).map(({ fault }) => fault),
    );
    expect(new Set(faults.flat(1).filter((_, n) => n % 2 === 1))).toEqual(new Set(['drop-stream']));
    expect(faults.every(([first]) => first === 'stall-stream')).toBe(true);
  });

  test('that fire together take turns', () => {
    const two = rules('rules: [{ fault: stall-stream, chance: 1 }, { fault: drop-stream, chance: 1 }]');
    const drops = Array.from({ length: 200 }, (_, seed) => plan(two, String(seed), calls(1))[0]!).filter(
      ({ fault }) => fault === 'drop-stream',
    ).length;
    expect(drops).toBeGreaterThan(70);
    expect(drops).toBeLessThan(130);
  });
});

describe('parameters', () => {
  const drawn = rules(
    'rules: [{ fault: drop-stream, params: { after: { min: 2, max: 4 }, how: { oneOf: [fin, reset] } }, chance: 1 }]',
  );
  const decisions = Array.from({ length: 100 }, (_, seed) => plan(drawn, String(seed), calls(1))[0]!);

  test('are drawn over all of their range, and recorded whole', () => {
    expect(new Set(decisions.map(({ params }) => params.after))).toEqual(new Set([2, 3, 4]));
    expect(new Set(decisions.map(({ params }) => params.how))).toEqual(new Set(['fin', 'reset']));
    expect(decisions.every(({ params }) => params.where === 'after-frame')).toBe(true);
  });

  test('do not move when another one is drawn too', () => {
    const more = rules(
      'rules: [{ fault: drop-stream, params: { where: { oneOf: [after-frame, before-response] }, after: { min: 2, max: 4 }, how: { oneOf: [fin, reset] } }, chance: 1 }]',
    );
    const after = decisions.map((_, seed) => plan(more, String(seed), calls(1))[0]!.params.after);
    expect(after).toEqual(decisions.map(({ params }) => params.after));
  });
});

describe('a decision', () => {
  const [decision] = plan(rules('rules: [{ fault: drop-stream, chance: 1 }]'), '42', calls(1));

  test('is known by its fault and its site, whatever the seed', () => {
    expect(decision!.id).toMatch(/^[0-9a-f]{8}$/);
    expect(decision!.id).toBe(decisionId('drop-stream', 'upstream/t/s1/tools%2Fcall/count/args0/1'));
    expect(decisionId('stall-stream', decision!.site)).not.toBe(decision!.id);
  });

  test('can be applied again as it was recorded, at its site and nowhere else', () => {
    const recorded: Decision = { ...decision!, params: { how: 'reset' } };
    const armed = calls(3).map((subject) => armExplicit([recorded], subject));
    expect(armed).toEqual([recorded, undefined, undefined]);
  });
});

describe('the digest', () => {
  const decisions = plan(desync, '42', arrive(suite.flat()));

  test('does not depend on the order in which decisions were made, nor on that of parameters', () => {
    const shuffled = [...decisions].reverse().map((decision) => ({
      ...decision,
      params: Object.fromEntries(Object.entries(decision.params).reverse()),
    }));
    expect(decisionsDigest(shuffled)).toBe(decisionsDigest(decisions));
    expect(decisionsDigest(decisions)).toMatch(/^[0-9a-f]{16}$/);
  });

  test.each([
    ['a decision less', decisions.slice(1)],
    [
      'another parameter',
      [{ ...decisions[0]!, params: { ...decisions[0]!.params, after: 77 } }, ...decisions.slice(1)],
    ],
    ['another site', [{ ...decisions[0]!, site: 'elsewhere' }, ...decisions.slice(1)]],
  ])('differs for %s', (_, other) => {
    expect(decisionsDigest(other)).not.toBe(decisionsDigest(decisions));
  });

  test('of nothing is the digest of nothing', () => {
    expect(decisionsDigest([])).toBe('e3b0c44298fc1c14');
  });
});

test('a site key tells apart what a separator inside a part could mix up', () => {
  const site = { upstream: 'u', scope: 'a/b', lane: 's1', method: 'm', tool: '', digest: '', occurrence: 1 };
  expect(siteKey(site)).toBe('u/a%2Fb/s1/m///1');
  expect(siteKey(site)).not.toBe(siteKey({ ...site, scope: 'a', lane: 'b/s1' }));
});
