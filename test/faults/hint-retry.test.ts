import { expect, test } from 'vitest';
import { bind, firstAttempt, short, stream } from './stream.ts';

const hint = (params: object) => bind('hint-retry', params);

test('says when to come again, then ends the stream', () => {
  expect(firstAttempt(hint({ after: 2, retryMs: 700 }), stream)).toEqual([
    '1001 as it is',
    'pass',
    'send "retry: 700\\n\\n"',
    'end complete',
  ]);
});

test('in place of an answer that comes first', () => {
  expect(firstAttempt(hint({ after: 9, retryMs: 0, how: 'fin' }), short)).toEqual([
    '1001 as it is',
    'send "retry: 0\\n\\n"',
    'end fin',
  ]);
});

test('is a control while the pause is shorter than a deadline', () => {
  expect(hint({ retryMs: 5000 }).control).toBe(true);
  expect(hint({ retryMs: 2 ** 31 }).control).toBe(false);
});
