/**
 * eventsource-parser 3.1.1 reads SSE for every TypeScript MCP SDK, so it is the oracle for meaning;
 * where it and WHATWG HTML 9.2.6 differ, the standard wins here, and the difference stands below as a
 * test of its own. If a later version moves, these tests say so.
 */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFields } from '../../src/sse/fields.ts';
import { bytesOf, cutStream, scan, seeded, textOf } from './streams.ts';

interface Reading {
  readonly events: readonly { id: string | undefined; event: string | undefined; data: string }[];
  readonly retryMs: number | undefined;
}

function theirs(chunks: readonly string[]): Reading {
  const events: EventSourceMessage[] = [];
  let retryMs: number | undefined;
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onRetry: (value) => {
      retryMs = value;
    },
  });
  for (const chunk of chunks) parser.feed(chunk);
  return { events: events.map(({ id, event, data }) => ({ id, event, data })), retryMs };
}

function ours(chunks: readonly Uint8Array[]): Reading {
  const fields = scan(chunks).blocks.map((block, index) => readFields(block, { first: index === 0 }));
  return {
    events: fields.flatMap(({ id, event, data }) =>
      data === undefined ? [] : [{ id, event: event || undefined, data }],
    ),
    retryMs: fields.findLast((block) => block.retryMs !== undefined)?.retryMs,
  };
}

describe('agreement', () => {
  test('every event of any stream, in any chunks of ours, reads the same', () => {
    fc.assert(
      fc.property(cutStream, ({ bytes, chunks }) => {
        // A TextDecoderStream, which the SDKs put in front, takes the BOM; two line ends at the end
        // settle what the parser withholds after a lone CR.
        const text = textOf(bytes).replace(/^\ufeff/, '');
        expect(ours([...chunks, bytesOf('\n\n')])).toEqual(theirs([text, '\n\n'].map(String)));
      }),
      { ...seeded, numRuns: 3000 },
    );
  });
});

describe('documented differences', () => {
  test('an id-only block moves the cursor; the parser reports nothing of it', () => {
    expect(theirs(['id: 5\n\n']).events).toEqual([]);
    expect(readFields(bytesOf('id: 5\n\n'))).toEqual({ id: '5' });
  });

  test('a block that ends with CR CR is complete; the parser withholds it until another line end', () => {
    expect(theirs(['data: q\r\r']).events).toEqual([]);
    expect(theirs(['data: q\r\r', 'x']).events).toEqual([]);
    expect(theirs(['data: q\r\r', 'x\n']).events).toHaveLength(1);
    expect(ours([bytesOf('data: q\r\r')]).events).toHaveLength(1);
  });

  test('a BOM that opens the stream is stripped; the parser takes decoded text and leaves U+FEFF', () => {
    expect(theirs(['\ufeffdata: a\n\n']).events).toEqual([]);
    expect(ours([bytesOf('\ufeffdata: a\n\n')]).events).toHaveLength(1);
  });

  test('three letters that look like a BOM read as Latin-1 stay; the parser strips them', () => {
    expect(theirs(['ï»¿data: a\n\n']).events).toHaveLength(1);
    expect(ours([bytesOf('ï»¿data: a\n\n')]).events).toEqual([]);
  });

  test('a retry beyond the safe integers is bounded; the parser hands 1e20 to timers', () => {
    expect(theirs(['retry: 99999999999999999999\n\n']).retryMs).toBe(1e20);
    expect(ours([bytesOf('retry: 99999999999999999999\n\n')]).retryMs).toBe(Number.MAX_SAFE_INTEGER);
  });

  test('an empty event type is kept as written; the parser leaves it out', () => {
    expect(theirs(['event:\ndata: a\n\n']).events[0]?.event).toBeUndefined();
    expect(readFields(bytesOf('event:\ndata: a\n\n')).event).toBe('');
  });
});
