import { describe, expect, test } from 'vitest';
import { ChaosError, exitCodeOf } from '../../src/errors.ts';
import { parseProfile } from '../../src/profiles/parse.ts';
import { ProfileError } from '../../src/profiles/problem.ts';

const head = 'name: flaky\ndescription: Streams break.\ncontract: monotonic:stream\n';

function problems(text: string): readonly string[] {
  try {
    parseProfile(text, 'flaky.yaml');
  } catch (error) {
    if (error instanceof ProfileError) return error.problems;
    throw error;
  }
  return [];
}

/** One rule, written in flow style on line 5 of the file. */
const rule = (text: string): readonly string[] => problems(`${head}rules:\n  - ${text}\n`);

test('a profile as it is meant', () => {
  const profile = parseProfile(
    `${head}ids: { first: 8411, stride: 1000 }
sessionFaults: 0.25
rules:
  - fault: regress-cursor
    params:
      to: 17
      after: { min: 1, max: 3 }
      how: { oneOf: [fin, reset] }
    when: { channel: POST, method: tools/call, tool: [count, charge] }
    chance: 0.5
  - { fault: expire-session, nth: 3 }
`,
    'flaky.yaml',
  );
  expect(profile).toEqual({
    name: 'flaky',
    description: 'Streams break.',
    contract: 'monotonic:stream',
    ids: { first: 8411, stride: 1000 },
    sessionFaults: 0.25,
    rules: [
      {
        fault: 'regress-cursor',
        params: {
          to: { draw: 'value', value: 17 },
          after: { draw: 'range', min: 1, max: 3 },
          how: { draw: 'oneOf', of: ['fin', 'reset'] },
        },
        when: { channel: 'POST', method: ['tools/call'], tool: ['count', 'charge'] },
        chance: 0.5,
      },
      { fault: 'expire-session', params: {}, when: {}, nth: 3 },
    ],
  });
});

describe('the share of session faults', () => {
  const share = (rules: string, given = ''): number =>
    parseProfile(`${head}${given}rules: [${rules}]`, 'x').sessionFaults;
  const stream = '{ fault: drop-stream, chance: 1 }';
  const session = '{ fault: expire-session, chance: 1 }';

  test('goes without saying where rules are of one kind', () => {
    expect(share('')).toBe(0);
    expect(share(stream)).toBe(0);
    expect(share(session)).toBe(1);
  });

  test('has to be said where they are of both, and to make sense', () => {
    expect(share(`${stream}, ${session}`, 'sessionFaults: 0.4\n')).toBe(0.4);
    const said = (rules: string, given: string): readonly string[] =>
      problems(`${head}${given}rules: [${rules}]`);
    expect(said(`${stream}, ${session}`, '')).toEqual([
      'flaky.yaml:1:1  sessionFaults  is missing (expected the share of sessions that get a session fault and no stream faults, for there are rules for both)',
    ]);
    expect(said(stream, 'sessionFaults: 0.4\n')).toEqual([
      'flaky.yaml:4:16  sessionFaults  found 0.4, but no rule has a session fault',
    ]);
    expect(said(`${stream}, ${session}`, 'sessionFaults: 0\n')).toEqual([
      'flaky.yaml:4:16  sessionFaults  found 0, with which the rules for session faults never act',
    ]);
    expect(said(`${stream}, ${session}`, 'sessionFaults: 1\n')).toEqual([
      'flaky.yaml:4:16  sessionFaults  found 1, with which the rules for stream faults never act',
    ]);
  });
});

describe('a mistake in a rule is named with its place', () => {
  test.each([
    [
      '{ fault: drop-stream, params: { hwo: fin }, chance: 1 }',
      'flaky.yaml:5:37  rules[0].params.hwo  unknown key "hwo" for fault "drop-stream" (expected how, where, after). Did you mean "how"?',
    ],
    [
      '{ fault: accept-request, params: { a: 1 }, chance: 1 }',
      'flaky.yaml:5:40  rules[0].params.a  unknown key "a" for fault "accept-request" (expected none).',
    ],
    [
      '{ fault: drop-streem, chance: 1 }',
      'flaky.yaml:5:14  rules[0].fault  unknown fault "drop-streem". Did you mean "drop-stream"?',
    ],
    ['{ fault: earthquake, chance: 1 }', 'flaky.yaml:5:14  rules[0].fault  unknown fault "earthquake".'],
    ['{ chance: 1 }', 'flaky.yaml:5:5  rules[0].fault  is missing (expected string)'],
    [
      '{ fault: drop-stream, chanse: 1 }',
      'flaky.yaml:5:27  rules[0].chanse  unknown key "chanse" (expected fault, params, when, chance, nth). Did you mean "chance"?',
    ],
    ['{ fault: drop-stream }', 'flaky.yaml:5:5  rules[0]  has neither (expected either chance or nth)'],
    [
      '{ fault: drop-stream, chance: 1, nth: 1 }',
      'flaky.yaml:5:5  rules[0]  has both (expected either chance or nth)',
    ],
    ['{ fault: drop-stream, chance: 0 }', 'flaky.yaml:5:35  rules[0].chance  found 0 (expected more than 0)'],
    ['{ fault: drop-stream, chance: 50 }', 'flaky.yaml:5:35  rules[0].chance  found 50 (expected at most 1)'],
    ['{ fault: drop-stream, nth: 0 }', 'flaky.yaml:5:32  rules[0].nth  found 0 (expected at least 1)'],
    [
      '{ fault: drop-stream, params: { how: slowly }, chance: 1 }',
      'flaky.yaml:5:42  rules[0].params.how  found "slowly" (expected fin, reset, complete).',
    ],
    [
      '{ fault: drop-stream, params: { how: { oneOf: [fin, rset] } }, chance: 1 }',
      'flaky.yaml:5:42  rules[0].params.how  found "rset" (expected fin, reset, complete). Did you mean "reset"?',
    ],
    [
      '{ fault: drop-stream, params: { after: 1.5 }, chance: 1 }',
      'flaky.yaml:5:44  rules[0].params.after  found 1.5 (expected int)',
    ],
    [
      '{ fault: drop-stream, params: { after: { min: 0, max: 3 } }, chance: 1 }',
      'flaky.yaml:5:44  rules[0].params.after  found 0 (expected at least 1)',
    ],
    [
      '{ fault: drop-stream, params: { after: { min: 3, max: 1 } }, chance: 1 }',
      'flaky.yaml:5:44  rules[0].params.after  found min 3 above max 1 (expected min <= max)',
    ],
    [
      '{ fault: drop-stream, params: { after: { from: 3 } }, chance: 1 }',
      'flaky.yaml:5:44  rules[0].params.after  found {"from":3} (expected { min, max } or { oneOf: [...] })',
    ],
    [
      '{ fault: cut-mid-event, params: { keep: { min: 0, max: 1 } }, chance: 1 }',
      'flaky.yaml:5:45  rules[0].params.keep  found { min, max } (expected a value or { oneOf: [...] }: ranges are for whole numbers)',
    ],
    [
      '{ fault: refuse-resume, params: { status: 404 }, chance: 1 }',
      'flaky.yaml:5:47  rules[0].params.status  found 404 (expected 204, 400, 405, 409, 410).',
    ],
    [
      '{ fault: drop-stream, when: { method: tool/call }, chance: 1 }',
      'flaky.yaml:5:43  rules[0].when.method  unknown method "tool/call". Did you mean "tools/call"?',
    ],
    [
      '{ fault: drop-stream, when: { channel: GET, method: tools/call }, chance: 1 }',
      'flaky.yaml:5:44  rules[0].when.channel  method "tools/call" never comes by GET',
    ],
    [
      '{ fault: drop-stream, when: { channel: get }, chance: 1 }',
      'flaky.yaml:5:44  rules[0].when.channel  found "get" (expected POST, GET). Did you mean "GET"?',
    ],
    [
      '{ fault: drop-stream, when: { method: GET, tool: count }, chance: 1 }',
      'flaky.yaml:5:54  rules[0].when.tool  only method "tools/call" has a tool',
    ],
    [
      '{ fault: refuse-get, when: { method: tools/call }, chance: 1 }',
      'flaky.yaml:5:32  rules[0].when  fits no call: fault "refuse-get" acts on GET only',
    ],
    [
      '{ fault: drop-stream, when: { metod: GET }, chance: 1 }',
      'flaky.yaml:5:35  rules[0].when.metod  unknown key "metod" (expected channel, method, tool, scope, managed). Did you mean "method"?',
    ],
    ['drop-stream', 'flaky.yaml:5:5  rules[0]  found "drop-stream" (expected object)'],
  ])('%s', (text, expected) => {
    expect(rule(text)).toEqual([expected]);
  });

  test('a method that nobody knows may exist', () => {
    expect(rule('{ fault: drop-stream, when: { method: vendor/thing }, chance: 1 }')).toEqual([]);
  });
});

describe('a mistake in the profile itself', () => {
  test.each([
    ['', 'flaky.yaml:1:1  found null (expected object)'],
    ['- a\n', 'flaky.yaml:1:1  found ["a"] (expected object)'],
    [
      `${head}rules: []\nseed: 42\n`,
      'flaky.yaml:5:1  seed  unknown key "seed" (expected name, description, contract, ids, sessionFaults, rules).',
    ],
    [
      `${head.replace('monotonic:stream', 'monotonic')}rules: []\n`,
      'flaky.yaml:3:11  contract  found "monotonic" (expected monotonic:stream, monotonic:session, epoch, opaque).',
    ],
    [
      `${head.replace('name: flaky', 'name: Very Flaky')}rules: []\n`,
      'flaky.yaml:1:7  name  found "Very Flaky" (expected a slug of lower-case letters, digits and single hyphens)',
    ],
    [
      `${head}ids: { frist: 1 }\nrules: []\n`,
      'flaky.yaml:4:8  ids.frist  unknown key "frist" (expected first, stride). Did you mean "first"?',
    ],
    [
      `${head.replace('monotonic:stream', 'opaque')}ids: { first: 1 }\nrules: []\n`,
      'flaky.yaml:4:1  ids  means nothing under contract "opaque", whose ids are upstream\'s',
    ],
    [`${head}rules: {}\n`, 'flaky.yaml:4:8  rules  found {} (expected array)'],
    [`${head}rules: []\nrules: []\n`, 'flaky.yaml:5:1  Map keys must be unique'],
    [
      `${head}rules: [\n`,
      'flaky.yaml:5:1  Flow sequence in block collection must be sufficiently indented and end with a ]',
    ],
  ])('%#', (text, expected) => {
    expect(problems(text)).toContain(expected);
  });
});

test('all problems are said at once, in the order of the file, as one error of the user', () => {
  const text = `name: flaky
description: Streams break.
contarct: opaque
rules:
  - { fault: drop-streem, chance: 2 }
  - { fault: cut-mid-event, params: { keep: 7 }, chance: 1 }
`;
  expect(problems(text)).toEqual([
    'flaky.yaml:1:1  contract  is missing (expected monotonic:stream, monotonic:session, epoch, opaque).',
    'flaky.yaml:3:1  contarct  unknown key "contarct" (expected name, description, contract, ids, sessionFaults, rules). Did you mean "contract"?',
    'flaky.yaml:5:35  rules[0].chance  found 2 (expected at most 1)',
    'flaky.yaml:6:45  rules[1].params.keep  found 7 (expected at most 1)',
  ]);
  try {
    parseProfile(text, 'flaky.yaml');
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ChaosError);
    expect((error as Error).message).toMatch(
      /^flaky\.yaml is not a profile: 4 problems\n {2}flaky\.yaml:1:1 /,
    );
    expect(exitCodeOf((error as ChaosError).code)).toBe(64);
  }
});

test('aliases that unfold without bound are a mistake like any other', () => {
  const levels = Array.from(
    { length: 12 },
    (_, n) => `l${n}: &l${n} [${n === 0 ? 'x' : `*l${n - 1}, *l${n - 1}, *l${n - 1}`}]`,
  );
  expect(problems(levels.join('\n'))).toEqual([
    'flaky.yaml:1:1  Excessive alias count indicates a resource exhaustion attack',
  ]);
});

test('a name that every object has is no parameter', () => {
  expect(rule('{ fault: drop-stream, params: { constructor: 1 }, chance: 1 }')).toEqual([
    'flaky.yaml:5:37  rules[0].params.constructor  unknown key "constructor" for fault "drop-stream" (expected how, where, after).',
  ]);
});
