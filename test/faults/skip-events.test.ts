import { describe, expect, test } from 'vitest';
import { atFrame, atResume, bind, callStream, firstAttempt, inWords, stream } from './stream.ts';

const skip = (params: object = {}) => bind('skip-events', params);

describe('over events', () => {
  test('the first ones that were missed are lost, and the ids of the others show it', () => {
    expect(firstAttempt(skip(), stream)).toEqual(['1001 as it is', 'pass', 'end fin']);
    expect(inWords(skip({ count: 2 }).plan(atResume(stream, { had: 2 })))).toEqual([
      'send 1005 answer',
      'follow',
    ]);
  });

  test('the answer is never among them', () => {
    expect(inWords(skip({ count: 9 }).plan(atResume(stream, { had: 2 })))).toEqual([
      'send 1005 answer',
      'follow',
    ]);
  });

  test('where the rest has not come yet the gap shows when it does', () => {
    const fault = skip();
    expect(inWords(fault.plan(atResume(stream, { had: 2, came: 3 })))).toEqual(['follow']);
    expect(inWords(fault.plan(atFrame(stream, 3, { attempt: 1 })))).toBe('passes');
  });

  test('nothing to lose, no fault', () => {
    expect(inWords(skip().plan(atResume(stream, { had: 4 })))).toBe('passes');
    expect(inWords(skip().plan(atResume(stream, { had: 2, came: 2 })))).toBe('passes');
  });
});

describe('over the answer', () => {
  const fault = skip({ over: 'answer' });

  test('everything up to it is lost, and an event beyond it shows the gap', () => {
    expect(inWords(fault.plan(atResume(stream, { had: 2 })))).toEqual(['send 1006 other incarnation 1']);
  });

  test('an answer that has not come yet is lost when it comes', () => {
    expect(inWords(fault.plan(atResume(stream, { had: 2, came: 3 })))).toEqual(['follow']);
    expect(inWords(fault.plan(atFrame(stream, 3, { attempt: 1 })))).toEqual([]);
    expect(inWords(fault.plan(atFrame(stream, 4, { attempt: 1 })))).toEqual([
      'send 1006 other incarnation 1',
      'end stall',
    ]);
  });

  test('a client that adopts the id beyond meets silence', () => {
    expect(inWords(fault.plan(atResume(stream, { had: 2, attempt: 2, cursor: '1006' })))).toEqual([]);
  });

  test('an answer that the client has is no longer to be lost', () => {
    expect(inWords(fault.plan(atResume(stream, { had: 5 })))).toBe('passes');
  });

  test('an answer without an id: the gap is counted from the last one', () => {
    const frames = [...stream.slice(0, 4), { ...callStream(3, null)[4]! }];
    expect(inWords(fault.plan(atResume(frames, { had: 2 })))).toEqual(['send 1004 other incarnation 1']);
    expect(inWords(fault.plan(atFrame(frames, 4, { attempt: 1 })))).toEqual([
      'send 1006 other incarnation 1',
      'end stall',
    ]);
  });

  test('the stand-alone stream has no answer, so events are lost', () => {
    const frames = callStream(3).slice(0, 4);
    expect(inWords(fault.plan(atResume(frames, { had: 1, channel: 'GET' })))).toEqual([
      'send 1003 progress 2',
      'send 1004 progress 3',
      'follow',
    ]);
  });

  test('times: the next resumption is coherent, and so are its frames', () => {
    const once = skip({ over: 'answer', times: 1 });
    expect(inWords(once.plan(atResume(stream, { had: 2, attempt: 2 })))).toBe('passes');
    expect(inWords(once.plan(atFrame(stream, 4, { attempt: 2 })))).toBe('passes');
  });
});
