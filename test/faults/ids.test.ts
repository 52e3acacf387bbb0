/** The faults that alter ids. */
import { describe, expect, test } from 'vitest';
import {
  atFrame,
  atResume,
  bare,
  bind,
  bytes,
  callStream,
  firstAttempt,
  inWords,
  short,
  stream,
} from './stream.ts';

describe('wrap-ids', () => {
  const wrap = (params: object = {}) => bind('wrap-ids', { after: 3, ...params });

  test('shows every id modulo the counter, then drops', () => {
    expect(firstAttempt(wrap(), stream)).toEqual([
      'send 1 priming',
      'send 0 progress 1',
      'send 1 progress 2',
      'end fin',
    ]);
    expect(firstAttempt(wrap(), short)).toEqual(['send 1 priming', 'end fin']);
    expect(firstAttempt(wrap(), bare)).toEqual(['send 0 answer']);
  });

  test('oldest: goes on after the first event of that number, so events come again', () => {
    const subject = atResume(stream, { had: 3, came: 4, cursor: '1' });
    expect(inWords(wrap().plan(subject))).toEqual([
      'send 0 progress 1',
      'send 1 progress 2',
      'send 0 progress 3',
      'follow',
    ]);
  });

  test('greater: loses what wrapped, the answer too', () => {
    const greater = wrap({ modulus: 3, lookup: 'greater' });
    // Numbers modulo 3: 2, 0, 1, 2, 0 = the answer.
    expect(firstAttempt(greater, stream).slice(0, 3)).toEqual([
      'send 2 priming',
      'send 0 progress 1',
      'send 1 progress 2',
    ]);
    expect(inWords(greater.plan(atResume(stream, { had: 3, cursor: '1' })))).toEqual([
      'send 2 priming',
      'send 2 progress 3',
      'follow',
    ]);
  });

  test('live frames of a resumed stream wrap too', () => {
    expect(inWords(wrap().plan(atFrame(stream, 4, { attempt: 1 })))).toEqual(['send 1 answer']);
  });

  test('keeps the epoch of an id, and an id without a number', () => {
    expect(inWords(wrap().plan(atFrame(callStream(1, '4:'), 0)))).toEqual(['send 4:1 priming']);
    const opaque = [{ ...stream[0]!, id: 'abc', raw: bytes('id: abc\ndata:\n\n') }];
    expect(inWords(wrap().plan(atFrame(opaque, 0)))).toEqual(['send abc priming']);
  });

  test('leaves frames without an id as they are', () => {
    expect(inWords(wrap().plan(atFrame(callStream(1, null), 1)))).toBe('passes');
  });
});

describe('truncate-ids', () => {
  const truncate = (params: object = {}) => bind('truncate-ids', { after: 2, keep: 2, ...params });

  test('many events, one id', () => {
    expect(firstAttempt(truncate(), stream)).toEqual(['send 10 priming', 'send 10 progress 1', 'end fin']);
  });

  test('or the last digits', () => {
    expect(firstAttempt(truncate({ end: 'last' }), stream)).toEqual([
      'send 01 priming',
      'send 02 progress 1',
      'end fin',
    ]);
  });

  test('oldest: goes on after the first event that fits', () => {
    const subject = atResume(stream, { had: 2, came: 3, cursor: '10' });
    expect(inWords(truncate().plan(subject))).toEqual(['send 10 progress 1', 'send 10 progress 2', 'follow']);
  });

  test('unknown: nothing is replayed, and nothing ever comes', () => {
    expect(inWords(truncate({ lookup: 'unknown' }).plan(atResume(stream, { had: 2, cursor: '10' })))).toEqual(
      [],
    );
  });

  test('a cursor that fits no event gets what was missed', () => {
    const subject = atResume(stream, { had: 2, came: 3, cursor: '99' });
    expect(inWords(truncate().plan(subject))).toEqual(['send 10 progress 2', 'follow']);
  });

  test('times: later resumptions and their frames are coherent', () => {
    const once = truncate({ times: 1 });
    expect(inWords(once.plan(atResume(stream, { had: 2, cursor: '10', attempt: 2 })))).toBe('passes');
    expect(inWords(once.plan(atFrame(stream, 3, { attempt: 2 })))).toBe('passes');
  });
});

describe('strip-ids', () => {
  const strip = (params: object = {}) => bind('strip-ids', params);

  test('takes the ids off from the start: there is no cursor when the stream breaks', () => {
    expect(firstAttempt(strip({ count: 2 }), stream)).toEqual([
      'send (no id) priming',
      'send (no id) progress 1',
      'end fin',
    ]);
    expect(strip().control).toBe(false);
  });

  test('or after some, whose last id stays the cursor', () => {
    expect(firstAttempt(strip({ after: 1, count: 1 }), stream)).toEqual([
      '1001 as it is',
      'send (no id) progress 1',
      'end fin',
    ]);
    expect(strip({ after: 1 }).control).toBe(true);
  });

  test('breaks the stream before an answer that comes first, but not as a control without a cursor', () => {
    expect(firstAttempt(strip({ count: 9 }), short)).toEqual(['send (no id) priming', 'end fin']);
    expect(firstAttempt(strip(), bare)).toEqual(['end fin']);
    expect(firstAttempt(strip({ after: 1 }), bare)).toEqual(['1002 as it is']);
  });
});

describe('empty-id', () => {
  const empty = (params: object = {}) => bind('empty-id', params);

  test('resets the cursor, then drops', () => {
    expect(firstAttempt(empty({ after: 2 }), stream)).toEqual([
      '1001 as it is',
      '1002 as it is',
      'send (empty id) progress 2',
      'end fin',
    ]);
  });

  test('before an answer that comes first a log message carries the empty id', () => {
    expect(firstAttempt(empty({ after: 9 }), short)).toEqual([
      '1001 as it is',
      'send (empty id) other incarnation 1',
      'end fin',
    ]);
  });

  test('there has to be a cursor to reset', () => {
    expect(firstAttempt(empty(), bare)).toEqual(['1002 as it is']);
  });
});

describe('collide-ids', () => {
  const other = callStream(1, 7001);

  test('one event has the id of the event before it, and the stream goes on', () => {
    expect(firstAttempt(bind('collide-ids'), stream)).toEqual([
      '1001 as it is',
      '1002 as it is',
      'send 1002 progress 2',
      '1004 as it is',
      '1005 as it is',
    ]);
  });

  test('or that of the newest event of another stream', () => {
    expect(firstAttempt(bind('collide-ids', { of: 'other', after: 1 }), stream, { foreign: other })).toEqual([
      '1001 as it is',
      'send 7003 progress 1',
      '1003 as it is',
      '1004 as it is',
      '1005 as it is',
    ]);
  });

  test('the answer, where it comes sooner', () => {
    expect(firstAttempt(bind('collide-ids'), short)).toEqual(['1001 as it is', 'send 1001 answer']);
  });

  test('nothing where no id stands for anything yet, and nothing to an event without one', () => {
    expect(firstAttempt(bind('collide-ids'), bare)).toEqual(['1002 as it is']);
    expect(firstAttempt(bind('collide-ids', { of: 'other' }), short)).toEqual([
      '1001 as it is',
      '1002 as it is',
    ]);
    expect(firstAttempt(bind('collide-ids'), callStream(3, null))).not.toContainEqual(
      expect.stringContaining('send'),
    );
  });

  test('once: a resumed stream is left alone', () => {
    expect(inWords(bind('collide-ids').plan(atFrame(stream, 2, { attempt: 1 })))).toBe('passes');
    expect(inWords(bind('collide-ids').plan(atResume(stream, { had: 3 })))).toBe('passes');
  });
});
