/** The faults of single messages. */
import { describe, expect, test } from 'vitest';
import type { StoredFrame } from '../../src/faults/fault.ts';
import { readFields } from '../../src/sse/fields.ts';
import { atFrame, atResume, bind, bytes, firstAttempt, inWords, short, stream } from './stream.ts';

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
