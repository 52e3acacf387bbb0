import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromWire, toWire } from '../../src/history/wire-bytes.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('wire bytes', () => {
  test.each([
    ['text stays readable', bytesOf('data: é漢😀\n\n'), { text: 'data: é漢😀\n\n' }],
    ['a BOM survives', bytesOf('\ufeffdata: a\n\n'), { text: '\ufeffdata: a\n\n' }],
    ['NUL and control characters are text', bytesOf('\0\u0001\u2028'), { text: '\0\u0001\u2028' }],
    ['nothing', new Uint8Array(0), { text: '' }],
    ['a cut inside a character', Uint8Array.of(0xe6, 0xbc), { base64: '5rw=' }],
    ['an encoded surrogate', Uint8Array.of(0xed, 0xa0, 0x80), { base64: '7aCA' }],
    ['an overlong form', Uint8Array.of(0xc0, 0x80), { base64: 'wIA=' }],
  ])('%s', (_, bytes, wire) => {
    expect(toWire(bytes)).toEqual(wire);
    expect(fromWire(wire)).toEqual(bytes);
  });

  test('any bytes come back exactly, through JSON too', () => {
    const cutText = fc
      .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.nat())
      .map(([text, at]) => bytesOf(text).slice(at % bytesOf(text).length));
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array(), cutText), (bytes) => {
        expect(fromWire(JSON.parse(JSON.stringify(toWire(bytes))))).toEqual(bytes);
      }),
      { seed: 42, numRuns: 1000 },
    );
  });

  test('five megabytes that are no text come back exactly', () => {
    const bytes = Uint8Array.from({ length: 5_000_000 }, (_, index) => (index * 31) & 0xff);
    const wire = toWire(bytes);
    expect(wire).toHaveProperty('base64');
    expect(Buffer.compare(fromWire(wire), bytes)).toBe(0);
  });

  test('a journal with something else in place of base64 is told so', () => {
    expect(() => fromWire({ base64: 'no base64!' })).toThrow('base64 was expected, found "no base64!"');
  });
});
