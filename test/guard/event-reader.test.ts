import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAnswerReader, readAnswerByte } from '../../src/guard/answer-reader.ts';
import { formatDigest } from '../../src/guard/digest.ts';
import { createEventReader, lastReadId, readEvents } from '../../src/guard/event-reader.ts';
import { digestEvent } from '../../src/guard/index.ts';

interface Event {
  readonly id: string | undefined;
  readonly digest: string | undefined;
  readonly answers: readonly (string | number)[];
  readonly retryMs: number | undefined;
}

function readAll(chunks: readonly Uint8Array[]): { events: Event[]; place: string } {
  const reader = createEventReader();
  const events: Event[] = [];
  for (const chunk of chunks) {
    let at = 0;
    while (at < chunk.length) {
      at = readEvents(reader, chunk, at);
      if (reader.stop !== 'event') continue;
      const id = reader.hasId ? lastReadId(reader) : undefined;
      events.push({
        id,
        digest: reader.hasId
          ? formatDigest({ a: reader.idA, b: reader.idB }, { a: reader.dataA, b: reader.dataB })
          : undefined,
        answers: [...reader.answers],
        retryMs: reader.retryMs,
      });
    }
  }
  return { events, place: reader.place };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const readText = (text: string) => readAll([bytes(text)]);
const ids = (text: string) => readText(text).events.map(({ id }) => id);

function cut(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...at]
    .map((from, i) => whole.slice(from, at[i] ?? whole.length))
    .filter(({ length }) => length > 0);
}

describe('the event reader', () => {
  test('reads ids, with LF, CRLF and CR', () => {
    expect(ids('id: 1\ndata: a\n\nid: 2\r\ndata: b\r\n\r\nid: 3\rdata: c\r\r')).toEqual(['1', '2', '3']);
  });

  test('strips one space and no more', () => {
    expect(ids('id:1\n\nid:  2\n\nid: a:b \n\n')).toEqual(['1', ' 2', 'a:b ']);
  });

  test('moves the cursor for blocks without data, and resets it for an empty id', () => {
    expect(ids('id: 5\n\nid:\ndata: x\n\nid\ndata: y\n\n')).toEqual(['5', '', '']);
  });

  test('does not count an event before its blank line', () => {
    expect(readText('id: 1\ndata: a\n\nid: 2\ndata: b\n')).toMatchObject({
      events: [{ id: '1' }],
      place: 'line-start',
    });
    expect(readText('id: 1\ndata: a\n\nid: 2\ndat')).toMatchObject({ place: 'in-line' });
  });

  test('ignores an id with a NUL, other fields, comments and fields in other cases', () => {
    expect(ids('id: a\0b\ndata: x\n\n')).toEqual([undefined]);
    expect(ids(': id: 1\nID: 2\nidx: 3\nevent: id\ndata: id: 4\n\n')).toEqual([undefined]);
  });

  test('takes the last of several ids', () => {
    expect(ids('id: 1\nid: 2\ndata: x\n\n')).toEqual(['2']);
  });

  test('skips one byte order mark, also when it is cut', () => {
    const text = bytes('\u{feff}id: 1\n\n');
    expect(readAll([text]).events).toMatchObject([{ id: '1' }]);
    expect(readAll([...text].map((byte) => Uint8Array.of(byte))).events).toMatchObject([{ id: '1' }]);
    expect(readAll([Uint8Array.of(0xef, 0xbb), bytes('id: 1\nid: 2\n\n')]).events).toMatchObject([
      { id: '2' },
    ]);
  });

  test('reads digits as retry and nothing else', () => {
    const retry = (text: string) => readText(`retry: ${text}\n\n`).events[0]?.retryMs;
    expect(retry('0')).toBe(0);
    expect(retry('1500')).toBe(1500);
    expect(retry('99999999999999999999')).toBe(1e20);
    for (const bogus of ['-5', '+5', '1e3', '1_000', '1.5', '']) expect(retry(bogus)).toBeUndefined();
  });

  test.each(['ünï-çødé', '日本', '\u{1f600}', '9007199254740993', '-1', '007'])(
    'keeps the id %s exact',
    (id) => {
      const text = bytes(`id: ${id}\ndata: x\n\n`);
      expect(readAll([...text].map((byte) => Uint8Array.of(byte))).events).toMatchObject([{ id }]);
    },
  );

  test('gives the digest that a checkpoint has, whatever the line ends', () => {
    const expected = digestEvent('7', 'a\nb\n');
    for (const end of ['\n', '\r', '\r\n']) {
      const text = `id: 7${end}data: a${end}data:b${end}data${end}${end}`;
      expect(readText(text).events).toMatchObject([{ digest: expected }]);
    }
  });

  test('reads the same under any chunking', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'id: 1',
        'id:',
        'id',
        'data',
        'data:',
        ': c',
        'retry: 10',
        'event: message',
        'id: é',
        'x: y',
        '',
      ),
      fc.constantFrom(
        'data: {"jsonrpc":"2.0","id":3,"result":{"a":[1,"\\"id\\":9"]}}',
        'data: {"method":"n"}',
      ),
      fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, '')),
    );
    const stream = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 30 })
      .map((lines) => bytes(lines.flat().join('')));
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 500 }), { maxLength: 12 }), (whole, places) => {
        expect(readAll(cut(whole, places))).toEqual(readAll([whole]));
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});

describe('the answer reader', () => {
  const answers = (text: string) => {
    const reader = createAnswerReader();
    for (const byte of bytes(text)) if (!reader.done) readAnswerByte(reader, byte);
    return reader.answers;
  };

  test('finds the id before and after the result, in results and in errors', () => {
    expect(answers('{"jsonrpc":"2.0","id":3,"result":{}}')).toEqual([3]);
    expect(answers('{"result":{"id":9},"jsonrpc":"2.0","id":"a\\u00e9\\""}')).toEqual(['aé"']);
    expect(answers('{ "error" : {"code":-1,"message":"}"} , "id" : 12 }')).toEqual([12]);
  });

  test('finds none in requests, in notifications and where the id is null', () => {
    expect(answers('{"jsonrpc":"2.0","id":3,"method":"ping"}')).toEqual([]);
    expect(answers('{"method":"x","params":{"id":3,"result":1}}')).toEqual([]);
    expect(answers('{"jsonrpc":"2.0","id":null,"error":{}}')).toEqual([]);
    expect(answers('"id"')).toEqual([]);
    expect(answers('{"params":{"result":{},"id":4}}')).toEqual([]);
  });

  test('is done with a notification at its name, however much follows', () => {
    const reader = createAnswerReader();
    for (const byte of bytes('{"method"')) readAnswerByte(reader, byte);
    expect(reader.done).toBe(true);
  });

  test('finds every answer of a batch', () => {
    expect(answers('[{"id":1,"result":[{"id":7}]},{"method":"x","id":2},{"error":{},"id":"3"}]')).toEqual([
      1,
      '3',
    ]);
  });

  test('agrees with JSON.parse on any response', () => {
    const value = fc.jsonValue();
    const id = fc.oneof(fc.integer(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(id, value, fc.boolean(), fc.boolean(), (id, value, first, spaced) => {
        const message = first ? { jsonrpc: '2.0', id, result: value } : { result: value, jsonrpc: '2.0', id };
        expect(answers(JSON.stringify(message, null, spaced ? 2 : undefined))).toEqual([id]);
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});
