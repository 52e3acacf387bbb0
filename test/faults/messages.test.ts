/** The faults of single messages. */
import { describe, expect, test } from 'vitest';
import type { StoredFrame } from '../../src/faults/fault.ts';
import { readFields } from '../../src/sse/fields.ts';
import {
  atFrame,
  atResume,
  bind,
  bytes,
  callStream,
  firstAttempt,
  inWords,
  short,
  stream,
  text,
} from './stream.ts';

describe('swallow-response', () => {
  test.each(['stall', 'complete', 'fin'])('the answer is withheld, then %s', (next) => {
    expect(firstAttempt(bind('swallow-response', { next }), short)).toEqual(['1001 as it is', `end ${next}`]);
  });

  test('no resumption brings it either', () => {
    const fault = bind('swallow-response', { next: 'complete' });
    expect(inWords(fault.plan(atResume(stream, { had: 3 })))).toEqual([
      'send 1004 progress 3',
      'end complete',
    ]);
    expect(inWords(fault.plan(atResume(stream, { had: 3, came: 4 })))).toBe('passes');
  });
});

describe('swallow-notification', () => {
  const frame = (index: number, method: string): StoredFrame => ({
    ...stream[1]!,
    index,
    id: String(1001 + index),
    raw: bytes(`id: ${1001 + index}\ndata: {"jsonrpc":"2.0","method":"notifications/${method}"}\n\n`),
  });
  const mixed = [
    frame(0, 'message'),
    frame(1, 'tools/list_changed'),
    frame(2, 'progress'),
    frame(3, 'resources/updated'),
  ];

  test('the first one is withheld, and its id is missing', () => {
    expect(firstAttempt(bind('swallow-notification'), stream)).toEqual([
      '1001 as it is',
      '1003 as it is',
      '1004 as it is',
      '1005 as it is',
    ]);
    expect(bind('swallow-notification').plan(atFrame(stream, 1))).toEqual([]);
  });

  test('some of them, after some', () => {
    expect(firstAttempt(bind('swallow-notification', { after: 1, count: 2 }), stream)).toEqual([
      '1001 as it is',
      '1002 as it is',
      '1005 as it is',
    ]);
  });

  test.each([
    ['any', '1001'],
    ['message', '1001'],
    ['state', '1002'],
    ['progress', '1003'],
  ])('of a kind: %s', (which, lost) => {
    const shown = mixed.map(({ id }) => id).filter((id) => id !== lost);
    expect(firstAttempt(bind('swallow-notification', { which }), mixed)).toEqual(
      shown.map((id) => `${id} as it is`),
    );
  });

  test('seamless: what follows has the ids that were not used', () => {
    expect(firstAttempt(bind('swallow-notification', { after: 1, ids: 'seamless' }), stream)).toEqual([
      '1001 as it is',
      '1002 as it is',
      'send 1003 progress 3',
      'send 1004 answer',
    ]);
  });

  test('the ids of upstream itself are left alone, for it resumes by them', () => {
    const seamless = bind('swallow-notification', { ids: 'seamless' });
    expect(firstAttempt(seamless, stream, { contract: 'opaque' })).toEqual([
      '1001 as it is',
      '1003 as it is',
      '1004 as it is',
      '1005 as it is',
    ]);
  });

  test('with one counter for all streams the ids that close up are the stream’s own', () => {
    const own = callStream(2, null).map((one, index) => {
      const id = String([5, 8, 20, 21][index]);
      return { ...one, id, raw: bytes(`id: ${id}\n${text(one.raw)}`) };
    });
    const seamless = bind('swallow-notification', { ids: 'seamless' });
    expect(firstAttempt(seamless, own, { contract: 'monotonic:session' })).toEqual([
      '5 as it is',
      'send 8 progress 2',
      'send 20 answer',
    ]);
  });

  test('no resumption brings it either', () => {
    const fault = bind('swallow-notification', { after: 2 });
    expect(inWords(fault.plan(atResume(stream, { had: 2 })))).toEqual([
      'send 1003 progress 2',
      'send 1005 answer',
      'follow',
    ]);
    expect(inWords(fault.plan(atResume(stream, { had: 4 })))).toBe('passes');
  });

  test('a resumption of a seamless stream goes on with its numbers, and knows what they stand for', () => {
    const fault = bind('swallow-notification', { ids: 'seamless' });
    const effects = fault.plan(atResume(stream, { had: 3, cursor: '1002' }));
    expect(inWords(effects)).toEqual(['send 1003 progress 3', 'send 1004 answer', 'follow']);
    expect(effects?.map((effect) => (effect.do === 'send' ? effect.index : undefined))).toEqual([
      3,
      4,
      undefined,
    ]);
  });

  test('a loss in an event without an id moves no id', () => {
    const idless = stream.map((one) =>
      one.index === 1
        ? { ...one, id: undefined, raw: bytes('data: {"jsonrpc":"2.0","method":"x"}\n\n') }
        : one,
    );
    expect(firstAttempt(bind('swallow-notification', { ids: 'seamless' }), idless)).toEqual([
      '1001 as it is',
      '1003 as it is',
      '1004 as it is',
      '1005 as it is',
    ]);
  });
});

test('duplicate-response: the same event again', () => {
  expect(firstAttempt(bind('duplicate-response'), short)).toEqual([
    '1001 as it is',
    'pass',
    'send 1002 answer',
  ]);
  expect(firstAttempt(bind('duplicate-response', { copies: 2 }), short)).toHaveLength(4);
  expect(inWords(bind('duplicate-response').plan(atFrame(stream, 4, { attempt: 1 })))).toEqual([
    'pass',
    'send 1005 answer',
  ]);
});

describe('misroute-response', () => {
  const answerWith = (id: string): StoredFrame => ({
    ...short[1]!,
    raw: bytes(`id: 1002\ndata: {"jsonrpc":"2.0","id":${id},"result":{}}\n\n`),
  });
  const shownId = (to: string, id: string): unknown => {
    const effects = bind('misroute-response', { to }).plan(atFrame([short[0]!, answerWith(id)], 1));
    const sent = effects?.[0];
    if (sent?.do !== 'send') throw new Error('an event was expected');
    return JSON.parse(readFields(sent.raw).data!).id;
  };

  test.each([
    ['unknown-id', '7', 'mcp-chaos-unknown-7'],
    ['other-type', '7', '7'],
    ['other-type', '"7"', 7],
    ['other-type', '"a"', 0],
  ])('%s: %s becomes %o', (to, id, expected) => {
    expect(shownId(to, id)).toBe(expected);
  });

  test('a batch is renumbered element by element', () => {
    const raw = bytes(
      'id: 1002\ndata: [{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","method":"x"}]\n\n',
    );
    const effects = bind('misroute-response').plan(atFrame([short[0]!, { ...short[1]!, raw }], 1));
    expect(inWords(effects)).toEqual([
      'send 1002 [{"jsonrpc":"2.0","id":"mcp-chaos-unknown-1","result":{}},{"jsonrpc":"2.0","method":"x"}]',
    ]);
  });

  test('a resumption misroutes it too', () => {
    expect(inWords(bind('misroute-response').plan(atResume(stream, { had: 3 })))).toEqual([
      'send 1004 progress 3',
      'send 1005 {"jsonrpc":"2.0","id":"mcp-chaos-unknown-7","result":{"content":[]}}',
      'follow',
    ]);
  });
});

describe('garble-data', () => {
  test('cuts the JSON of the answer and keeps the event', () => {
    expect(firstAttempt(bind('garble-data', { keep: 0.25 }), short)).toEqual([
      '1001 as it is',
      'send 1002 {"jsonrpc":"',
    ]);
  });

  test('or of the first notification only', () => {
    expect(firstAttempt(bind('garble-data', { which: 'notification', keep: 0.1 }), stream)).toEqual([
      '1001 as it is',
      'send 1002 {"jsonrpc',
      '1003 as it is',
      '1004 as it is',
      '1005 as it is',
    ]);
  });

  test('what is left is never JSON', () => {
    for (let percent = 0; percent < 100; percent += 1) {
      const sent = bind('garble-data', { keep: percent / 100 }).plan(atFrame(short, 1))?.[0];
      if (sent?.do !== 'send') throw new Error('an event was expected');
      expect(() => JSON.parse(readFields(sent.raw).data!)).toThrow();
    }
  });
});
