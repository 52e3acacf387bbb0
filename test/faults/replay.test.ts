/** The faults of a resumption: what is replayed, for a client that has had 1001 and 1002 of 1001 to 1005. */
import { describe, expect, test } from 'vitest';
import type { StoredFrame } from '../../src/faults/fault.ts';
import {
  atFrame,
  atResume,
  bare,
  bind,
  callStream,
  firstAttempt,
  inWords,
  type Resumption,
  stream,
} from './stream.ts';

const other = callStream(1, 7001);
const had2: Resumption = { had: 2 };

describe.each([
  ['swallow-replay', {}],
  ['replay-from-start', {}],
  ['repeat-last-event', {}],
  ['replay-foreign-stream', {}],
  ['reorder-replay', {}],
  ['diverge-replay', {}],
  ['refuse-resume', {}],
])('%s', (name, params) => {
  test('drops the stream after an id first, and leaves a stream without ids alone', () => {
    expect(firstAttempt(bind(name, { ...params, after: 2 }), stream)).toEqual([
      '1001 as it is',
      'pass',
      'end fin',
    ]);
    expect(firstAttempt(bind(name, { ...params, after: 2 }), bare)).toEqual(['1002 as it is']);
  });

  test('counts as applied at the resumption', () => {
    expect(bind(name, params).seam).toBe('resume');
  });

  test('leaves resumptions beyond `times` alone', () => {
    const subject = atResume(stream, { had: 2, attempt: 3, foreign: other });
    expect(inWords(bind(name, { ...params, times: 2 }).plan(subject))).toBe('passes');
    expect(inWords(bind(name, { ...params, times: 3 }).plan(subject))).not.toBe('passes');
  });

  test('does nothing to the frames of a resumed stream', () => {
    expect(inWords(bind(name, params).plan(atFrame(stream, 2, { attempt: 1 })))).toBe('passes');
  });
});

type Row = readonly [string, string, object, Resumption, readonly string[] | 'passes'];

const fresh = (...ids: readonly string[]): readonly string[] =>
  ids.map((id, index) => `send ${id} other incarnation ${index + 1}`);

const rows: readonly Row[] = [
  ['swallow-replay', '200 and silence', {}, had2, []],
  ['swallow-replay', 'ids from elsewhere', { next: 'fresh-ids' }, had2, fresh('2002', '2003', '2004')],
  ['swallow-replay', 'as far away as asked', { next: 'fresh-ids', jump: 5, events: 1 }, had2, fresh('1007')],
  ['swallow-replay', 'ids that go on', { next: 'fresh-seamless', events: 2 }, had2, fresh('1003', '1004')],
  [
    'swallow-replay',
    'silence for an adopted id',
    { next: 'fresh-ids' },
    { had: 2, cursor: '2004', attempt: 2 },
    [],
  ],
  [
    'replay-from-start',
    'all again, then live',
    {},
    { had: 2, came: 4 },
    ['send 1001 priming', 'send 1002 progress 1', 'send 1003 progress 2', 'send 1004 progress 3', 'follow'],
  ],
  ['replay-from-start', 'nothing is left to repeat', {}, { had: 0 }, 'passes'],
  [
    'repeat-last-event',
    'the event at the cursor again',
    {},
    { had: 2, came: 3 },
    ['send 1002 progress 1', 'send 1003 progress 2', 'follow'],
  ],
  [
    'repeat-last-event',
    'the last ones again',
    { count: 2 },
    { had: 2, came: 2 },
    ['send 1001 priming', 'send 1002 progress 1', 'follow'],
  ],
  [
    'replay-foreign-stream',
    "another stream's messages, and nothing of its own",
    {},
    { had: 2, foreign: other },
    ['send 7002 progress 1', 'send 7003 answer'],
  ],
  [
    'replay-foreign-stream',
    'the newest of them, then its own',
    { events: 1, next: 'go-on' },
    { had: 2, came: 3, foreign: other },
    ['send 7003 answer', 'send 1003 progress 2', 'follow'],
  ],
  ['replay-foreign-stream', 'there is no other stream', {}, had2, 'passes'],
  [
    'replay-foreign-stream',
    'the other stream has said nothing',
    {},
    { had: 2, foreign: other.slice(0, 1) },
    'passes',
  ],
  [
    'reorder-replay',
    'the answer first',
    {},
    had2,
    ['send 1005 answer', 'send 1004 progress 3', 'send 1003 progress 2', 'follow'],
  ],
  ['reorder-replay', 'one event has no order', {}, { had: 2, came: 3 }, 'passes'],
  ['diverge-replay', 'the right ids, another content', {}, had2, fresh('1003', '1004', '1005')],
  [
    'diverge-replay',
    'the last event too',
    { repeatLast: true, events: 1 },
    had2,
    ['send 1002 other incarnation 2', 'send 1003 other incarnation 1'],
  ],
  ['diverge-replay', 'silence for an adopted id', {}, { had: 2, cursor: '1005', attempt: 2 }, []],
];

test.each(rows)('%s: %s', (name, _, params, resumption, expected) => {
  expect(inWords(bind(name, params).plan(atResume(stream, resumption)))).toEqual(expected);
});

test.each([
  ['epoch', '4:', ['send 5:1 other incarnation 1'], ['send 4:3 other incarnation 1']],
  ['opaque', 'x-', ['send x-1002 other incarnation 1'], ['send x-3 other incarnation 1']],
] as const)('fresh and seamless ids under contract %s', (contract, prefix, freshIds, seamless) => {
  const subject = atResume(callStream(3, prefix), { had: 2, contract });
  const swallow = (next: string) => inWords(bind('swallow-replay', { next, events: 1 }).plan(subject));
  expect(swallow('fresh-ids')).toEqual(freshIds);
  expect(swallow('fresh-seamless')).toEqual(seamless);
});

test('an opaque id that does not end in a number gets a suffix', () => {
  const frames = [{ ...stream[0]!, id: 'c29tZQ==' }];
  const subject = atResume(frames, { had: 1, contract: 'opaque' });
  expect(inWords(bind('diverge-replay', { events: 2 }).plan(subject))).toEqual(
    fresh('c29tZQ==.1', 'c29tZQ==.2'),
  );
});

describe('refuse-resume', () => {
  test.each([400, 405, 409, 410] as const)('%i, in the words of a server', (status) => {
    const [effect] = bind('refuse-resume', { status }).plan(atResume(stream, had2))!;
    if (effect?.do !== 'respond') throw new Error('a response was expected');
    expect(effect.status).toBe(status);
    expect(effect.headers.allow).toBe(status === 405 ? 'POST, DELETE' : undefined);
    expect(JSON.parse(effect.body)).toMatchObject({ jsonrpc: '2.0', error: { code: -32000 }, id: null });
  });

  test('204 has no body (WHATWG HTML 9.2.3: stop reconnecting)', () => {
    expect(bind('refuse-resume', { status: 204 }).plan(atResume(stream, had2))).toEqual([
      { do: 'respond', status: 204, headers: {}, body: '' },
    ]);
  });
});

test.each([
  ['swallow-replay', { next: 'silence' }, 'inferable'],
  ['swallow-replay', { next: 'fresh-ids' }, 'definite'],
  ['swallow-replay', { next: 'fresh-seamless' }, 'none'],
  ['diverge-replay', {}, 'none'],
  ['diverge-replay', { repeatLast: true }, 'inferable'],
])('%s %o is %s: what is seamless and alive nobody can tell', (name, params, level) => {
  expect(bind(name, params).detectability.level).toBe(level);
});

test('bytes that are replayed are the stored ones', () => {
  const frames: readonly StoredFrame[] = stream;
  const effects = bind('replay-from-start').plan(atResume(frames, had2))!;
  const raws = effects.flatMap((effect) => (effect.do === 'send' ? [effect.raw] : []));
  expect(raws).toEqual(frames.map(({ raw }) => raw));
});
