import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsDigest, sha256Hex } from '../../src/mcp/digest.ts';

describe('sha256Hex', () => {
  test('is SHA-256 of the text in UTF-8', () => {
    for (const text of ['', 'abc', 'é漢😀', 'x'.repeat(100_000)]) {
      expect(sha256Hex(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
    }
  });
});

describe('argumentsDigest', () => {
  // Sites, and with them every plan ever printed, hang on these.
  test.each([
    [undefined, 'null', '74234e98afe7'],
    [{}, '{}', '44136fa355b3'],
    [
      { name: 'echo', arguments: { b: [1, { y: 2, x: null }], a: 'é' } },
      '{"a":"é","b":[1,{"x":null,"y":2}]}',
      '00020737895d',
    ],
    [{ uri: 'test://a', _meta: {} }, '{"uri":"test://a"}', 'e146f5bc4cd2'],
  ])('golden vector %#', (params, canonical, digest) => {
    expect(argumentsDigest(params)).toBe(digest);
    expect(createHash('sha256').update(canonical).digest('hex').slice(0, 12)).toBe(digest);
  });

  test('neither the order of keys nor _meta matters', () => {
    const digest = argumentsDigest({
      name: 'echo',
      arguments: { a: 1, b: { c: 2, d: 3 } },
      _meta: { progressToken: 1 },
    });
    expect(digest).toMatch(/^[0-9a-f]{12}$/);
    expect(argumentsDigest({ _meta: { progressToken: 2 }, arguments: { b: { d: 3, c: 2 }, a: 1 } })).toBe(
      digest,
    );
    expect(argumentsDigest({ uri: 'a', _meta: { x: 1 } })).toBe(argumentsDigest({ uri: 'a' }));
  });

  test('values, types, the order of arrays and inner _meta do matter', () => {
    const digests = [
      { a: 1 },
      { a: '1' },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: null },
      { a: {} },
      { a: [] },
      { a: 1, _meta: 1 },
    ].map((args) => argumentsDigest({ arguments: args }));
    expect(new Set(digests).size).toBe(digests.length);
  });

  test('keys and values cannot imitate each other', () => {
    expect(argumentsDigest({ arguments: { 'a":1,"b': 2 } })).not.toBe(
      argumentsDigest({ arguments: { a: 1, b: 2 } }),
    );
  });

  test('is a function of the JSON value alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const params = { arguments: value };
        expect(argumentsDigest(JSON.parse(JSON.stringify(params)))).toBe(argumentsDigest(params));
      }),
      { seed: 42 },
    );
  });

  test('a hostile depth has a digest too', () => {
    const deep = JSON.parse(`{"arguments":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expect(argumentsDigest(deep)).toMatch(/^[0-9a-f]{12}$/);
  });
});
