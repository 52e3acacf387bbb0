import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fields, readFields } from '../../src/sse/fields.ts';
import { createCursor } from '../../src/sse/last-event-id.ts';
import { createFrameScanner } from '../../src/sse/scanner.ts';
import {
  bytesOf,
  concat,
  cut,
  cutStream,
  type Dispatch,
  interpret,
  scan,
  seeded,
  stream,
  textOf,
} from './streams.ts';

const pushAll = (chunks: readonly string[]) => {
  const scanner = createFrameScanner();
  return {
    pieces: chunks.map((chunk) => scanner.push(bytesOf(chunk)).map(textOf)),
    rest: textOf(scanner.end()),
  };
};

describe('blocks', () => {
  test.each([
    ['LF', 'data: a\n\ndata: b\n\n', ['data: a\n\n', 'data: b\n\n'], ''],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['data: a\r\n\r\n', 'data: b\r\n\r\n'], ''],
    ['CR', 'data: a\r\rdata: b\r\r', ['data: a\r\r', 'data: b\r\r'], ''],
    ['CR then CRLF', 'data: a\r\r\ndata: b\n\n', ['data: a\r\r\n', 'data: b\n\n'], ''],
    ['LF then CR', 'data: a\n\rdata: b\n\n', ['data: a\n\r', 'data: b\n\n'], ''],
    [
      'extra blank lines go to the next block',
      'data: a\n\n\n\r\ndata: b\n\n',
      ['data: a\n\n', '\n\r\ndata: b\n\n'],
      '',
    ],
    ['blank lines and nothing else', '\n\r\n\r', [], '\n\r\n\r'],
    ['comments and unknown fields are blocks', ':\n\nx\n\n', [':\n\n', 'x\n\n'], ''],
    ['an unfinished block is the rest', 'data: a\n\ndata: b\n', ['data: a\n\n'], 'data: b\n'],
    ['an unfinished line is the rest', 'data: a', [], 'data: a'],
    ['a BOM stays with the first block', '\ufeffid: 1\n\n', ['\ufeffid: 1\n\n'], ''],
  ])('%s', (_, input, blocks, rest) => {
    expect(pushAll([input])).toEqual({ pieces: [blocks], rest });
  });

  test('a block whose blank line ended with CR comes out at once, and a late LF opens the next piece', () => {
    expect(pushAll(['data: a\r\n\r', '\ndata: b\r\n\r\n'])).toEqual({
      pieces: [['data: a\r\n\r'], ['\ndata: b\r\n\r\n']],
      rest: '',
    });
  });

  test('a late LF with nothing behind it is the rest', () => {
    expect(pushAll(['data: a\r\r', '\n'])).toEqual({ pieces: [['data: a\r\r'], []], rest: '\n' });
  });

  test('an LF after the CR of a field line is the same line end, also across an empty chunk', () => {
    expect(pushAll(['data: a\r', '', '\n', 'data: b\n\n'])).toEqual({
      pieces: [[], [], [], ['data: a\r\ndata: b\n\n']],
      rest: '',
    });
  });

  test('after its end the scanner starts anew', () => {
    const scanner = createFrameScanner();
    scanner.push(bytesOf('data: a\r'));
    expect(textOf(scanner.end())).toBe('data: a\r');
    expect(scanner.end()).toHaveLength(0);
    expect(scanner.push(bytesOf('\ndata: b\n\n')).map(textOf)).toEqual(['\ndata: b\n\n']);
  });

  test('Node buffers and plain arrays are the same to it', () => {
    const scanner = createFrameScanner();
    expect(scanner.push(Buffer.from('data: a\n\ndata: ')).map(textOf)).toEqual(['data: a\n\n']);
    expect(scanner.push(bytesOf('b\n\n')).map(textOf)).toEqual(['data: b\n\n']);
  });
});

describe('laws', () => {
  test('nothing is lost, added or moved under any chunking', () => {
    fc.assert(
      fc.property(cutStream, ({ bytes, chunks }) => {
        const { blocks, rest } = scan(chunks);
        expect(concat([...blocks, rest])).toEqual(bytes);
      }),
      { ...seeded, numRuns: 2000 },
    );
  });

  test('the fields are the same under any chunking, cuts inside characters and CRLF included', () => {
    fc.assert(
      fc.property(cutStream, ({ bytes, chunks }) => {
        const whole = scan([bytes]);
        const pieces = scan(chunks);
        expect(fieldsOf(pieces.blocks)).toEqual(fieldsOf(whole.blocks));
        expect(readFields(pieces.rest)).toEqual(readFields(whole.rest));
      }),
      { ...seeded, numRuns: 2000 },
    );
  });

  test('the blocks mean what the standard says of the whole stream', () => {
    fc.assert(
      fc.property(cutStream, ({ bytes, chunks }) => {
        expect(dispatchesOf(scan(chunks).blocks)).toEqual(interpret(bytes));
      }),
      { ...seeded, numRuns: 2000 },
    );
  });

  test('no complete block is ever held back', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        const scanner = createFrameScanner();
        let blocks = 0;
        for (let at = 0; at < bytes.length; at += 1) {
          blocks += scanner.push(bytes.subarray(at, at + 1)).length;
          expect(blocks).toBe(interpret(bytes.subarray(0, at + 1)).length);
        }
      }),
      { ...seeded, numRuns: 300 },
    );
  });

  test('long lines, which are searched and not walked, are cut at the same places', () => {
    const eol = fc.constantFrom('\n', '\r', '\r\n');
    const line = fc
      .tuple(fc.constantFrom(0, 1, 100, 126, 127, 128, 129, 1150, 1152, 1153, 5000), eol)
      .map(([length, end]) => 'x'.repeat(length) + end);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(20_000)), (lines, places) => {
        const bytes = bytesOf(lines.join(''));
        const cuts = places.filter((place) => place <= bytes.length);
        const { blocks, rest } = scan(cut(bytes, cuts));
        expect(textOf(concat([...blocks, rest]))).toBe(lines.join(''));
        expect(dispatchesOf(blocks)).toEqual(interpret(bytes));
      }),
      { ...seeded, numRuns: 300 },
    );
  });
});

describe('cost', () => {
  // Copying the unfinished block for every chunk would move 20 000 × 2.5 MB = 50 GB, which takes at
  // least five seconds on any machine; once is some tens of milliseconds.
  test.each([
    ['one line', `data: ${'y'.repeat(5_000_000)}\n\n`],
    ['CR-only lines', `${`data: ${'y'.repeat(200)}\r`.repeat(24_000)}\r`],
    ['LF-only lines', `${`data: ${'y'.repeat(200)}\n`.repeat(24_000)}\n`],
  ])('a 5 MB event of %s costs about the same whole and in 256-byte chunks', (_, text) => {
    const bytes = bytesOf(text);
    for (const size of [bytes.length, 256]) {
      const scanner = createFrameScanner();
      const blocks: Uint8Array[] = [];
      const start = performance.now();
      for (let at = 0; at < bytes.length; at += size)
        blocks.push(...scanner.push(bytes.subarray(at, at + size)));
      expect(performance.now() - start).toBeLessThan(2_500);
      expect(blocks).toHaveLength(1);
      expect(blocks[0]).toHaveLength(bytes.length);
    }
  });
});

function fieldsOf(blocks: readonly Uint8Array[]): Fields[] {
  return blocks.map((block, index) => readFields(block, { first: index === 0 }));
}

function dispatchesOf(blocks: readonly Uint8Array[]): Dispatch[] {
  const cursor = createCursor();
  return fieldsOf(blocks).map((fields) => {
    cursor.take(fields);
    const lastEventId = cursor.value;
    if (fields.data === undefined) return { lastEventId };
    return { lastEventId, event: { type: fields.event || 'message', data: fields.data } };
  });
}
