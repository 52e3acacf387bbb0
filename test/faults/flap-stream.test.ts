import { expect, test } from 'vitest';
import { atResume, bare, bind, firstAttempt, inWords, stream } from './stream.ts';

const flap = (params: object) => bind('flap-stream', params);

test('the stream breaks, opens and closes empty so many times, and then goes on', () => {
  const fault = flap({ after: 2, times: 2, how: 'complete' });
  expect(firstAttempt(fault, stream)).toEqual(['1001 as it is', 'pass', 'end complete']);
  const legs = [1, 2, 3].map((attempt) => inWords(fault.plan(atResume(stream, { had: 2, attempt }))));
  expect(legs).toEqual([['end complete'], ['end complete'], 'passes']);
});

test('nothing breaks that has no id', () => {
  expect(firstAttempt(flap({ after: 1 }), bare)).toEqual(['1002 as it is']);
});

test('is a control as long as giving up would be hasty', () => {
  expect(flap({ times: 2 }).control).toBe(true);
  expect(flap({ times: 3 }).control).toBe(false);
});
