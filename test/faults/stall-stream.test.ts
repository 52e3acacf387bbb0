import { expect, test } from 'vitest';
import { atFrame, bare, bind, callStream, firstAttempt, inWords, stream } from './stream.ts';

const stall = (after: number) => bind('stall-stream', { after });

test.each([
  ['before the first frame', 0, stream, ['end stall']],
  ['after a frame with an id', 2, stream, ['1001 as it is', 'pass', 'end stall']],
  ['before the answer, which is never shown', 9, callStream(0), ['1001 as it is', 'end stall']],
  ['before a bare answer, for silence needs no cursor', 1, bare, ['end stall']],
  [
    'in a stream without ids, before its answer',
    1,
    callStream(1, null),
    ['(no id) as it is', '(no id) as it is', 'end stall'],
  ],
])('falls silent %s', (_, after, frames, expected) => {
  expect(firstAttempt(stall(after), frames)).toEqual(expected);
});

test('a client that drops the silent stream and resumes it is rewarded', () => {
  expect(inWords(stall(1).plan(atFrame(stream, 1, { attempt: 1 })))).toBe('passes');
});
