import { describe, expect, test } from 'vitest';
import { atFrame, atHead, bare, bind, callStream, firstAttempt, inWords, short, stream } from './stream.ts';

const drop = (params: object) => bind('drop-stream', params);

describe('where', () => {
  test.each([
    ['before-head', ['end fin']],
    ['before-first-frame', ['pass', 'end fin']],
    ['before-first-id', ['end fin']],
    ['after-frame', ['1001 as it is', 'pass', 'end fin']],
    ['before-response', ['1001 as it is', '1002 as it is', '1003 as it is', '1004 as it is', 'end fin']],
    [
      'after-response',
      ['1001 as it is', '1002 as it is', '1003 as it is', '1004 as it is', 'pass', 'end fin'],
    ],
  ])('%s', (where, expected) => {
    expect(firstAttempt(drop({ where }), stream)).toEqual(expected);
  });

  test('after-frame counts frames with an id, and never waits past the answer', () => {
    expect(firstAttempt(drop({ after: 1 }), stream)).toEqual(['pass', 'end fin']);
    expect(firstAttempt(drop({ after: 9 }), short)).toEqual(['1001 as it is', 'end fin']);
  });

  test('a drop that could not be resumed is left to the places that say so', () => {
    expect(firstAttempt(drop({ after: 1 }), bare)).toEqual(['1002 as it is']);
    expect(firstAttempt(drop({ where: 'before-response' }), bare)).toEqual(['1002 as it is']);
    expect(firstAttempt(drop({ where: 'before-first-id' }), bare)).toEqual(['end fin']);
  });

  test('before-first-id shows what comes without an id, and breaks before an answer without one', () => {
    const noIds = callStream(1, null);
    expect(firstAttempt(drop({ where: 'before-first-id' }), noIds)).toEqual([
      '(no id) as it is',
      '(no id) as it is',
      'end fin',
    ]);
  });
});

test.each(['fin', 'reset', 'complete'])('ends the client side only, by %s', (how) => {
  expect(drop({ how, after: 1 }).plan(atFrame(stream, 0))).toEqual([
    { do: 'pass' },
    { do: 'end', how, side: 'client' },
  ]);
});

test('before-head takes every answer, JSON too, and ends it by force', () => {
  expect(inWords(drop({ where: 'before-head', how: 'complete' }).plan(atHead({}, false)))).toEqual([
    'end fin',
  ]);
  expect(inWords(drop({ where: 'before-head', how: 'reset' }).plan(atHead()))).toEqual(['end reset']);
});

test('a JSON answer has no stream to drop', () => {
  expect(inWords(drop({ where: 'before-first-frame' }).plan(atHead({}, false)))).toBe('passes');
});

test('a resumed stream is left alone', () => {
  expect(inWords(drop({ after: 1 }).plan(atFrame(stream, 0, { attempt: 1 })))).toBe('passes');
});

test.each([
  [{ where: 'after-frame' }, true, 'definite'],
  [{ where: 'before-response', how: 'reset' }, true, 'definite'],
  [{ where: 'before-head' }, false, 'definite'],
  [{ where: 'before-first-frame' }, false, 'definite'],
  [{ where: 'before-first-id' }, false, 'definite'],
  [{ where: 'after-response', how: 'fin' }, true, 'none'],
  [{ where: 'after-response', how: 'reset' }, false, 'definite'],
])('%o: control %s, detectability %s', (params, control, level) => {
  const bound = drop(params);
  expect([bound.control, bound.detectability.level]).toEqual([control, level]);
});

test('acts at the head only where no frame is shown', () => {
  expect(drop({ where: 'before-head' }).seam).toBe('head');
  expect(drop({ where: 'before-first-frame' }).seam).toBe('head');
  expect(drop({}).seam).toBe('frame');
});
