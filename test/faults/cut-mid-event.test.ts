import { expect, test } from 'vitest';
import type { StoredFrame } from '../../src/faults/fault.ts';
import { createFrameScanner } from '../../src/sse/scanner.ts';
import { atFrame, bare, bind, bytes, firstAttempt, inWords, short, stream } from './stream.ts';

const cut = (params: object) => bind('cut-mid-event', params);

test('shows whole events first, then the beginning of the next one', () => {
  expect(firstAttempt(cut({ after: 1, keep: 0.1, how: 'fin' }), stream)).toEqual([
    '1001 as it is',
    'send "id: 1002\\nda"',
    'end fin',
  ]);
});

test('keep 1 leaves out nothing but the last line end and the blank line', () => {
  expect(firstAttempt(cut({ after: 1, keep: 1 }), short).at(1)).toBe(
    'send "id: 1002\\ndata: {\\"jsonrpc\\":\\"2.0\\",\\"id\\":7,\\"result\\":{\\"content\\":[]}}"',
  );
});

test('at least one byte is sent', () => {
  expect(firstAttempt(cut({ after: 0, keep: 0 }), stream)).toEqual(['send "i"', 'end reset']);
});

test('the answer is cut where it comes earlier, but only once an id was shown', () => {
  expect(firstAttempt(cut({ after: 9, keep: 0.1 }), short)).toEqual([
    '1001 as it is',
    'send "id: 10"',
    'end reset',
  ]);
  expect(firstAttempt(cut({ after: 1 }), bare)).toEqual(['1002 as it is']);
  expect(firstAttempt(cut({ after: 0, keep: 0.1 }), bare)).toEqual(['send "id: 10"', 'end reset']);
});

test('a comment is not worth a cut', () => {
  const comment: StoredFrame = {
    raw: bytes(': hi\n\n'),
    id: undefined,
    index: 1,
    content: 'comment',
    answers: false,
  };
  expect(inWords(cut({ after: 1 }).plan(atFrame([stream[0]!, comment], 1)))).toBe('passes');
});

test.each(['\n', '\r\n', '\r'])('no cut finishes the event, with line end %j', (eol) => {
  const raw = bytes(`id: 1${eol}data: {}${eol}${eol}`);
  const frame: StoredFrame = { raw, id: '1', index: 0, content: 'notification', answers: false };
  for (let percent = 0; percent <= 100; percent += 1) {
    const [sent] = cut({ after: 0, keep: percent / 100 }).plan(atFrame([frame], 0))!;
    if (sent?.do !== 'send') throw new Error('a piece was expected first');
    expect(createFrameScanner().push(sent.raw)).toEqual([]);
  }
});

test('is a control where the event before it can be resumed from', () => {
  expect(cut({ after: 1 }).control).toBe(true);
  expect(cut({ after: 0 }).control).toBe(false);
});
