/** What the digest must tell apart, and what it must not depend on. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestEvent } from '../../src/guard/index.ts';

it('another word anywhere in the data is another digest', () => {
  const payload = fc.string({ minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(payload, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (data, place, other) => {
      const at = place % data.length;
      const changed = data.slice(0, at) + other + data.slice(at + 1);
      expect(digestEvent('1', changed) === digestEvent('1', data)).toBe(changed === data);
    }),
    { numRuns: 2000 },
  );
});

it('the parts of a payload in another order are another digest', () => {
  const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{4}$/), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(words, (parts) => {
      const [first, second, ...rest] = parts;
      expect(digestEvent('1', parts.join(''))).not.toBe(digestEvent('1', [second, first, ...rest].join('')));
    }),
    { numRuns: 2000 },
  );
});

it('a hundred thousand payloads that differ in a number have as many digests, in each half', () => {
  const digests = Array.from({ length: 100_000 }, (_, i) =>
    digestEvent('1', `{"progress":${i},"of":${i * 7}}`),
  );
  const data = digests.map((digest) => digest.slice(16));
  expect(new Set(data).size).toBe(data.length);
  // 32 bits a lane: about one pair in a hundred thousand values would meet by chance in a perfect hash.
  for (const from of [0, 8]) {
    const lane = new Set(data.map((digest) => digest.slice(from, from + 8)));
    expect(data.length - lane.size).toBeLessThan(20);
  }
});
