import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composeFrame, withData, withId } from '../../src/sse/compose.ts';
import { readFields } from '../../src/sse/fields.ts';
import { bytesOf, scan, seeded, stream, textOf } from './streams.ts';

const ids = fc.stringMatching(/^[^\0\r\n]{0,12}$/u);

const isBlank = (block: Uint8Array) => /^\ufeff?[\r\n]*$/.test(textOf(block));

describe('composeFrame', () => {
  test.each([
    [
      'everything',
      { comment: 'c', event: 'e', id: '1', retryMs: 50, data: 'd' },
      ': c\nevent: e\nid: 1\nretry: 50\ndata: d\n\n',
    ],
    ['data of several lines', { data: 'a\nb\r\nc\rd' }, 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
    ['empty values', { id: '', event: '', data: '' }, 'event:\nid:\ndata:\n\n'],
    ['spaces are kept', { data: ' a ' }, 'data:  a \n\n'],
    ['an id alone', { id: '2:17' }, 'id: 2:17\n\n'],
    ['a comment of several lines', { comment: 'a\nb' }, ': a\n: b\n\n'],
    ['a retry that no timer can hold', { retryMs: 1e21 }, 'retry: 1000000000000000000000\n\n'],
    ['nothing', {}, '\n'],
  ])('%s', (_, parts, text) => {
    expect(textOf(composeFrame(parts))).toBe(text);
  });

  test('what was composed reads back', () => {
    const data = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\r\n?/g, '\n'));
    fc.assert(
      fc.property(ids, ids, data, fc.nat(), (id, event, text, retryMs) => {
        const parts = { id, event, data: text, retryMs };
        const raw = composeFrame({ ...parts, comment: text });
        expect(readFields(raw)).toEqual(parts);
        expect(scan([raw])).toEqual({ blocks: [raw], rest: new Uint8Array(0) });
      }),
      seeded,
    );
  });

  test.each([
    ['a line break in the id', { id: 'a\nb' }, '"id": expected one line, found a line break in "a\\nb"'],
    ['NUL in the id', { id: 'a\0' }, '"id": expected no NUL'],
    ['a line break in the event', { event: 'a\r' }, '"event": expected one line'],
    ['a negative retry', { retryMs: -1 }, '"retry": expected whole milliseconds from 0, found -1'],
    ['an endless retry', { retryMs: Number.POSITIVE_INFINITY }, 'found Infinity'],
  ])('refuses %s, which would be another frame', (_, parts, message) => {
    expect(() => composeFrame(parts)).toThrow(message);
  });
});

describe('withId', () => {
  test.each([
    ['replaces', 'event: e\nid: 1\ndata: d\n\n', '7', 'event: e\nid: 7\ndata: d\n\n'],
    ['replaces whatever its spelling', 'id\ndata: d\n\n', '7', 'id: 7\ndata: d\n\n'],
    ['replaces one with NUL', 'id:a\0b\n\n', '7', 'id: 7\n\n'],
    ['replaces the first, drops the others', 'id: 1\ndata: d\nid: 2\nid\n\n', '7', 'id: 7\ndata: d\n\n'],
    [
      'leaves what is nearly an id',
      'ID: 1\nid : 2\nidx: 3\n: id: 4\n\n',
      '7',
      'id: 7\nID: 1\nid : 2\nidx: 3\n: id: 4\n\n',
    ],
    ['inserts as the first line', 'event: e\ndata: d\n\n', '7', 'id: 7\nevent: e\ndata: d\n\n'],
    ['inserts with CRLF', 'data: d\r\n\r\n', '7', 'id: 7\r\ndata: d\r\n\r\n'],
    ['inserts with CR', 'data: d\r\r', '7', 'id: 7\rdata: d\r\r'],
    ['inserts with the line end of the first line', 'data: d\r\n\n', '7', 'id: 7\r\ndata: d\r\n\n'],
    ['keeps the line end of the one it replaces', 'data: d\nid: 1\r\n\n', '7', 'data: d\nid: 7\r\n\n'],
    ['inserts behind a BOM', '\ufeffdata: d\n\n', '7', '\ufeffid: 7\ndata: d\n\n'],
    ['replaces behind a BOM', '\ufeffid: 1\ndata: d\n\n', '7', '\ufeffid: 7\ndata: d\n\n'],
    ['inserts behind a late LF', '\ndata: d\r\r', '7', '\nid: 7\rdata: d\r\r'],
    ['inserts into a comment', ':\n\n', '7', 'id: 7\n:\n\n'],
    ['resets with an empty id', 'id: 1\n\n', '', 'id:\n\n'],
    ['writes letters beyond ASCII', 'id: 1\n\n', 'é漢', 'id: é漢\n\n'],
    ['inserts into an unfinished block', 'data: d', '7', 'id: 7\ndata: d'],
    ['replaces in an unfinished block', 'id: 1', '7', 'id: 7'],
    ['removes', 'event: e\nid: 1\ndata: d\n\n', null, 'event: e\ndata: d\n\n'],
    ['removes all', 'id: 1\r\ndata: d\r\nid: 2\r\n\r\n', null, 'data: d\r\n\r\n'],
    ['removes nothing', 'data: d\r\r', null, 'data: d\r\r'],
    ['removes the whole of an id-only block', 'id: 1\n\n', null, '\n'],
    ['keeps a CR and an LF apart', 'data: d\rid: 1\r\n\n', null, 'data: d\r:\r\n\n'],
  ])('%s', (_, block, id, expected) => {
    expect(textOf(withId(bytesOf(block), id))).toBe(expected);
  });

  test('a BOM that does not open the stream belongs to a field name and stays in its line', () => {
    expect(textOf(withId(bytesOf('\ufeffdata: d\n\n'), '7', { first: false }))).toBe(
      'id: 7\n\ufeffdata: d\n\n',
    );
  });

  test('the block keeps its other fields, its blank line, and gets the id, whatever it was', () => {
    fc.assert(
      fc.property(stream, fc.option(ids), (bytes, id) => {
        for (const [index, block] of scan([bytes]).blocks.entries()) {
          const first = index === 0;
          const { id: _, ...others } = readFields(block, { first });
          const changed = withId(block, id, { first });
          expect(readFields(changed, { first })).toEqual(id === null ? others : { ...others, id });
          // One block stays one block, unless it has, or is left with, nothing but blank lines.
          if (isBlank(block) || isBlank(changed)) continue;
          expect(scan([changed])).toEqual({ blocks: [changed], rest: new Uint8Array(0) });
        }
      }),
      { ...seeded, numRuns: 2000 },
    );
  });

  test('only id lines differ', () => {
    const withoutIds = (bytes: Uint8Array) =>
      textOf(bytes).replace(/(?<=^|[\r\n]|\ufeff)id(:[^\r\n]*)?(\r\n|\r|\n)/g, '');
    const simple = fc
      .array(fc.constantFrom('data: a', ': c', 'event: é', 'id: 5', 'id', 'x'), {
        minLength: 1,
        maxLength: 6,
      })
      .chain((lines) =>
        fc.constantFrom('\n', '\r\n', '\r').map((eol) => bytesOf(lines.join(eol) + eol + eol)),
      );
    fc.assert(
      fc.property(simple, fc.option(ids), (block, id) => {
        expect(withoutIds(withId(block, id))).toBe(withoutIds(block));
      }),
      seeded,
    );
  });

  test('a 5 MB block is rewritten once, not line by line', () => {
    const block = bytesOf(`${`data: ${'y'.repeat(200)}\r`.repeat(24_000)}\r`);
    const start = performance.now();
    expect(withId(block, '7').byteLength).toBe(block.byteLength + 6);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  test('earlier results stay as they were, though small ones share memory', () => {
    const results = Array.from({ length: 5_000 }, (_, index) =>
      withId(bytesOf('data: d\n\n'), String(index)),
    );
    for (const [index, result] of results.entries()) expect(textOf(result)).toBe(`id: ${index}\ndata: d\n\n`);
  });
});

describe('withData', () => {
  test.each([
    ['replaces', 'id: 1\ndata: d\nevent: e\n\n', 'x', 'id: 1\ndata: x\nevent: e\n\n'],
    ['replaces several by one', 'data: a\r\nid: 1\r\ndata: b\r\n\r\n', 'x', 'data: x\r\nid: 1\r\n\r\n'],
    ['replaces one by several', 'data: a\rid: 1\r\r', 'x\ny', 'data: x\rdata: y\rid: 1\r\r'],
    ['empties', 'id: 1\ndata: d\n\n', '', 'id: 1\ndata:\n\n'],
    ['adds before the blank line', 'id: 1\r\n\r\n', 'x', 'id: 1\r\ndata: x\r\n\r\n'],
    ['adds between a CR and an LF', 'id: 1\r\n\n'.replace('\r\n', '\rx\n'), 'y', 'id: 1\rx\ndata: y\r\n\n'],
    ['adds behind a late LF', '\nid: 1\r\r', 'x', '\nid: 1\rdata: x\r\r'],
  ])('%s', (_, block, data, expected) => {
    expect(textOf(withData(bytesOf(block), data))).toBe(expected);
  });

  test('the block keeps its other fields and gets the data', () => {
    const data = fc.constantFrom('', 'x', 'a\nb', '\n', '{"é":"漢"}', ' x');
    fc.assert(
      fc.property(stream, data, (bytes, text) => {
        for (const [index, block] of scan([bytes]).blocks.entries()) {
          const first = index === 0;
          const changed = withData(block, text, { first });
          expect(readFields(changed, { first })).toEqual({ ...readFields(block, { first }), data: text });
          if (!isBlank(block))
            expect(scan([changed])).toEqual({ blocks: [changed], rest: new Uint8Array(0) });
        }
      }),
      { ...seeded, numRuns: 1000 },
    );
  });
});
