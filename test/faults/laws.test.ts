/** What holds for every fault, over parameters as profiles draw them and streams of any shape. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contracts } from '../../src/cursor/contract.ts';
import type { AnyFault, BoundFault } from '../../src/faults/bound-fault.ts';
import { describeEffects, type Effect } from '../../src/faults/effect.ts';
import type { StoredFrame, Subject } from '../../src/faults/fault.ts';
import { faultNamed, faults } from '../../src/faults/index.ts';
import type { Seam } from '../../src/history/fact.ts';
import { possibleValues } from '../../src/profiles/fault-params.ts';
import { parseProfile } from '../../src/profiles/parse.ts';
import type { Profile } from '../../src/profiles/schema.ts';
import { createFrameScanner } from '../../src/sse/scanner.ts';
import {
  answerData,
  atFrame,
  atHead,
  atRequest,
  atResume,
  bytes,
  callStream,
  progressData,
} from './stream.ts';

const seed = 20261113;
const folder = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const profiles: readonly Profile[] = readdirSync(folder('profiles')).map((name) =>
  parseProfile(readFileSync(folder(`profiles/${name}`), 'utf8'), name),
);

/** The slugs that obligations have; a fault that provokes another one provokes nothing. */
const obligations = [
  'bounds-its-wait',
  'checks-replayed-digest',
  'discards-unfinished-event',
  'executes-once',
  'keeps-cursor',
  'keeps-session-id',
  'matches-responses',
  'notices-missing-replay',
  'reconnects-with-pause',
  'reinitialises-after-404',
  'respects-retry',
  'resumes-after-drop',
  'settles-broken-call',
  'survives-controls',
  'validates-resumed-cursor',
];

/** Parameters that some profile may draw, and the defaults. */
function boundOf(fault: AnyFault): fc.Arbitrary<BoundFault> {
  const rules = profiles.flatMap(({ rules }) => rules).filter((rule) => rule.fault === fault.name);
  const drawn = rules.map((rule) =>
    fc.record(
      Object.fromEntries(
        Object.entries(rule.params).map(([name, draw]) => [name, fc.constantFrom(...possibleValues(draw))]),
      ),
    ),
  );
  return fc.oneof(fc.constant({}), ...drawn).map((params) => fault.bind(params));
}

const frameKind = fc.constantFrom('priming', 'notification', 'request', 'comment', 'other');

/** Any stream: frames with and without ids, with the answer last or never. */
const anyStream: fc.Arbitrary<readonly StoredFrame[]> = fc
  .record({
    kinds: fc.array(fc.record({ kind: frameKind, hasId: fc.boolean() }), { maxLength: 8 }),
    answer: fc.option(fc.boolean()),
    first: fc.constantFrom('1', '8409', '3:1', 'x-1'),
  })
  .map(({ kinds, answer, first }) => {
    const all = [...kinds, ...(answer === null ? [] : [{ kind: 'response', hasId: answer } as const])];
    let number = Number(/\d+$/.exec(first)![0]);
    return all.map(({ kind, hasId }, index): StoredFrame => {
      const owned = hasId && kind !== 'comment';
      const id = owned ? first.replace(/\d+$/, String(number)) : undefined;
      if (owned) number += 1;
      const data = kind === 'response' ? answerData : kind === 'priming' ? '' : progressData(index);
      const line = kind === 'comment' ? ': hello' : `data: ${data}`;
      const raw = bytes(`${id === undefined ? '' : `id: ${id}\n`}${line}\n\n`);
      return { raw, id, index, content: kind as StoredFrame['content'], answers: kind === 'response' };
    });
  })
  .filter((frames) => frames.length > 0);

const anySubject: fc.Arbitrary<Subject> = fc
  .record({
    frames: anyStream,
    seam: fc.constantFrom('request', 'head', 'frame', 'resume', 'end'),
    at: fc.nat(8),
    came: fc.nat(8),
    attempt: fc.nat(3),
    channel: fc.constantFrom('POST', 'GET'),
    contract: fc.constantFrom(...contracts),
    sse: fc.boolean(),
    foreign: fc.boolean(),
    adopted: fc.boolean(),
  })
  .map(({ frames, seam, at, came, attempt, channel, contract, sse, foreign, adopted }): Subject => {
    const view = {
      channel,
      contract,
      ...(channel === 'GET' ? { method: 'GET', tool: undefined } : {}),
    } as const;
    const had = at % frames.length;
    switch (seam) {
      case 'request':
        return atRequest(view, attempt);
      case 'head':
        return atHead(view, sse);
      case 'frame':
        return atFrame(frames, had, { attempt, ...view });
      case 'resume':
        return atResume(frames, {
          had,
          came: Math.min(frames.length, had + came),
          attempt: attempt + 1,
          channel,
          contract,
          foreign: foreign ? callStream(2, 7001) : [],
          ...(adopted ? { cursor: '18' } : {}),
        });
      default:
        return { seam: 'end', call: atHead(view).call, attempt, answered: sse };
    }
  });

/** What the pump can carry out at a seam. */
const allowed: Readonly<Record<Seam, readonly Effect['do'][]>> = {
  request: ['pass', 'wait', 'respond', 'end', 'refuse-session', 'restart-session', 'restart-upstream'],
  head: ['pass', 'wait', 'head', 'respond', 'end'],
  frame: ['pass', 'send', 'wait', 'end', 'restart-session', 'restart-upstream'],
  resume: ['pass', 'send', 'wait', 'head', 'respond', 'end', 'follow', 'refuse-session', 'restart-session'],
  end: ['pass', 'send', 'wait', 'end'],
};

const final: readonly Effect['do'][] = ['end', 'respond', 'refuse-session', 'follow'];

describe.each(faults.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
  const check = (law: (bound: BoundFault, subject: Subject) => void, numRuns = 120): void => {
    fc.assert(fc.property(boundOf(fault), anySubject, law), { seed, numRuns });
  };

  test('the same subject gets the same effects, and is left as it was', () => {
    check((bound, subject) => {
      const before = structuredClone(subject);
      expect(bound.plan(subject)).toEqual(bound.plan(subject));
      expect(subject).toEqual(before);
    });
  });

  test('only effects that its seam can have, and none after an end', () => {
    check((bound, subject) => {
      const effects = bound.plan(subject) ?? [];
      for (const [index, effect] of effects.entries()) {
        expect(allowed[subject.seam]).toContain(effect.do);
        if (final.includes(effect.do)) expect(index).toBe(effects.length - 1);
        if (effect.do === 'end') expect(effect.side).toBe('client');
      }
    });
  });

  test('waits for at most a minute in one plan', () => {
    check((bound, subject) => {
      const waits = (bound.plan(subject) ?? []).map((effect) => (effect.do === 'wait' ? effect.delayMs : 0));
      expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(60_000);
    });
  });

  test('what it sends is whole events, unless cutting them is the point', () => {
    if (['cut-mid-event', 'crlf-lines', 'slow-drip'].includes(fault.name)) return;
    check((bound, subject) => {
      for (const effect of bound.plan(subject) ?? []) {
        if (effect.do !== 'send') continue;
        expect(createFrameScanner().push(effect.raw)).toEqual([effect.raw]);
      }
    });
  });

  test('parameters survive their schema and JSON, and what is recorded is complete', () => {
    fc.assert(
      fc.property(boundOf(fault), ({ params }) => {
        expect(fault.bind(params).params).toEqual(params);
        expect(fault.bind(JSON.parse(JSON.stringify(params))).params).toEqual(params);
      }),
      { seed, numRuns: 100 },
    );
  });

  test('an unknown parameter is refused', () => {
    expect(() => fault.bind({ hwo: 'fin' })).toThrow('hwo');
  });

  test('acts at the seam where it says it counts as applied', () => {
    let acted = false;
    check((bound, subject) => {
      acted ||= subject.seam === bound.seam && bound.plan(subject) !== undefined;
    }, 1500);
    expect(acted).toBe(true);
  });

  test('says what it imitates, what it provokes, and how it can be known', () => {
    for (const text of [fault.summary, fault.imitates, fault.bind({}).detectability.why]) {
      expect(text.length).toBeGreaterThan(15);
    }
    expect(fault.provokes.length).toBeGreaterThan(0);
    expect(fault.provokes.filter((slug) => !obligations.includes(slug))).toEqual([]);
  });

  test('has a narrow profile of its own name that hits every call', () => {
    const narrow = profiles.find(({ name }) => name === fault.name);
    expect(narrow?.rules.map((rule) => [rule.fault, rule.chance])).toEqual([[fault.name, 1]]);
  });
});

test('a resume fault drops the stream once and before the answer, or leaves it alone', () => {
  const resumers = faults.filter((fault) => fault.bind({}).seam === 'resume');
  expect(resumers.length).toBeGreaterThan(10);
  fc.assert(
    fc.property(fc.constantFrom(...resumers).chain(boundOf), anyStream, (bound, frames) => {
      const plans = frames.map((_, index) => bound.plan(atFrame(frames, index)));
      const broken = plans.findIndex((plan) => plan?.some((effect) => effect.do === 'end'));
      const answer = frames.findIndex(({ answers }) => answers);
      if (broken === -1) return;
      if (answer !== -1) expect(broken).toBeLessThanOrEqual(answer);
      // Withheld: an answer that is shown would leave nothing to resume for.
      if (broken === answer)
        expect(plans[broken]!.every((effect) => effect.do !== 'pass' && effect.do !== 'send')).toBe(true);
      const shown = frames.slice(0, broken === answer ? broken : broken + 1);
      expect(shown.some(({ id }) => id !== undefined)).toBe(true);
    }),
    { seed, numRuns: 1200 },
  );
});

test('a control never loses an answer: it is shown, or there is an id to resume from', () => {
  const controls = faults.filter((fault) => fault.reach === 'stream' && fault.bind({}).control);
  expect(controls.length).toBeGreaterThan(5);
  fc.assert(
    fc.property(fc.constantFrom(...controls).chain(boundOf), anyStream, (bound, frames) => {
      if (!bound.control) return;
      let cursor = false;
      for (const index of frames.keys()) {
        const plan = bound.plan(atFrame(frames, index));
        const ends = plan?.some((effect) => effect.do === 'end') === true;
        const passes = plan === undefined || plan.some((effect) => effect.do === 'pass');
        if (ends && frames[index]!.answers && passes) return;
        if (passes && frames[index]!.id !== undefined) cursor = true;
        if (ends) {
          expect(cursor).toBe(true);
          return;
        }
      }
    }),
    { seed, numRuns: 1200 },
  );
});

describe('the registry', () => {
  const makers = readdirSync(folder('src/faults')).filter((name) =>
    readFileSync(folder(`src/faults/${name}`), 'utf8').includes('= defineFault<'),
  );

  test('lists every file that defines a fault, under the name of its file', () => {
    expect(makers.length).toBeGreaterThan(30);
    expect(faults.map(({ name }) => `${name}.ts`).sort()).toEqual(makers.sort());
  });

  test('finds faults by name', () => {
    for (const fault of faults) expect(faultNamed(fault.name)).toBe(fault);
    expect(faultNamed('no-such-fault')).toBeUndefined();
  });

  test('every obligation is provoked by some fault', () => {
    expect([...new Set(faults.flatMap(({ provokes }) => provokes))].sort()).toEqual(obligations);
  });
});

test('effects have words for the journal', () => {
  const effects: readonly Effect[] = [
    { do: 'pass' },
    { do: 'send', raw: bytes('data: x\n\n') },
    { do: 'wait', delayMs: 5 },
    { do: 'head', status: 200, headers: { 'content-type': 'text/html' } },
    { do: 'respond', status: 404, headers: {}, body: '' },
    { do: 'end', how: 'reset', side: 'both' },
    { do: 'end', how: 'fin', side: 'client' },
    { do: 'follow' },
    { do: 'refuse-session', status: 404 },
    { do: 'restart-session' },
  ];
  expect(describeEffects(effects)).toBe(
    'pass, send 9 bytes, wait 5 ms, head 200 content-type, respond 404, end reset on both sides, end fin, follow live, refuse session with 404, restart session',
  );
  expect(describeEffects([])).toBe('withhold');
});
