import { describe, expect, test } from 'vitest';
import { readFields } from '../../src/sse/fields.ts';
import { createCursor } from '../../src/sse/last-event-id.ts';
import { bytesOf } from './streams.ts';

describe('fields of one block', () => {
  // Vectors in the manner of web-platform-tests eventsource/format-field-*.
  test.each([
    ['no data line: nothing is dispatched', 'id: 5\n\n', { id: '5' }],
    ['an empty data line is dispatched', 'id: 5\ndata:\n\n', { id: '5', data: '' }],
    ['a name without a colon has an empty value', 'data\nid\nevent\n\n', { data: '', id: '', event: '' }],
    ['data lines are joined with LF', 'data: a\ndata:b\ndata\n\n', { data: 'a\nb\n' }],
    ['exactly one space goes', 'data:  a \nid:  b\n\n', { data: ' a ', id: ' b' }],
    ['a tab is no space', 'data:\ta\n\n', { data: '\ta' }],
    ['a value that is one space is empty', 'data: \n\n', { data: '' }],
    ['colons after the first are value', 'data: {"a":1}\nid: 2:17\n\n', { data: '{"a":1}', id: '2:17' }],
    ['names are literal', 'Data: a\n data: b\ndata : c\ndatax: d\nid : 1\nID: 2\n\n', {}],
    ['comments and unknown fields mean nothing', ': data: a\n:\nother: x\nother\n\n', {}],
    ['the last id counts', 'id: 1\nid: 2\n\n', { id: '2' }],
    ['an empty id resets', 'id: 1\nid:\n\n', { id: '' }],
    ['an id with NUL is ignored', 'id: 1\nid: a\0b\n\n', { id: '1' }],
    ['an id with NUL alone is no id', 'id: \0\n\n', {}],
    ['retry in digits', 'retry: 1500\n\n', { retryMs: 1500 }],
    ['retry with leading zeros is base ten', 'retry: 010\n\n', { retryMs: 10 }],
    ['retry that is no digits is ignored', 'retry: 7\nretry: +5\nretry: -5\nretry: 1e3\n\n', { retryMs: 7 }],
    ['retry that is nearly digits is ignored', 'retry: 1_000\nretry: 5 \nretry:\nretry\nretry: ٣\n\n', {}],
    [
      'a huge retry stays a number that JSON holds',
      'retry: 99999999999999999999\n\n',
      { retryMs: Number.MAX_SAFE_INTEGER },
    ],
    ['an absurd retry too', `retry: ${'9'.repeat(400)}\n\n`, { retryMs: Number.MAX_SAFE_INTEGER }],
    ['CRLF', 'id: 1\r\ndata: a\r\ndata: b\r\n\r\n', { id: '1', data: 'a\nb' }],
    ['CR', 'id: 1\rdata: a\rdata: b\r\r', { id: '1', data: 'a\nb' }],
    ['mixed line ends', 'id: 1\rdata: a\ndata: b\r\n\r', { id: '1', data: 'a\nb' }],
    ['a late LF in front', '\nid: 1\r\rdata: a', { id: '1', data: 'a' }],
    ['a last line without its end is read too', 'data: a', { data: 'a' }],
    ['nothing', '', {}],
  ])('%s', (_, block, fields) => {
    expect(readFields(bytesOf(block))).toEqual(fields);
  });

  test('one BOM is stripped from the block that opens the stream, and from no other', () => {
    expect(readFields(bytesOf('\ufeffid: 1\n\n'), { first: true })).toEqual({ id: '1' });
    expect(readFields(bytesOf('\ufeff\ufeffid: 1\n\n'), { first: true })).toEqual({});
    expect(readFields(bytesOf('\ufeffid: 1\n\n'))).toEqual({});
    expect(readFields(bytesOf('\ufeffid: 1\n\n'), { first: false })).toEqual({});
  });

  test('bytes that are no UTF-8 become U+FFFD, one block at a time', () => {
    expect(readFields(Uint8Array.of(...bytesOf('data: '), 0xe6, 0xbc, 10, 10))).toEqual({ data: '\ufffd' });
  });
});

describe('the last event id', () => {
  test('moves with id-only blocks, sticks, and is reset by an empty id', () => {
    const cursor = createCursor();
    const values = ['data: a', 'id: 5', 'data: b', 'id: 6\ndata:', ': ping', 'id: x\0y', 'id', 'data: c'].map(
      (block) => {
        cursor.take(readFields(bytesOf(`${block}\n\n`)));
        return cursor.value;
      },
    );
    expect(values).toEqual(['', '5', '5', '6', '6', '6', '', '']);
  });
});
