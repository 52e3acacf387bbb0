import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedsOf } from '../../src/sweep/shard.ts';

test('shards take each seed once, and about as many each', () => {
  const range = fc.record({
    from: fc.integer({ min: 1, max: 1000 }),
    count: fc.integer({ min: 1, max: 300 }),
  });
  fc.assert(
    fc.property(range, fc.integer({ min: 1, max: 9 }), (seeds, count) => {
      const shards = Array.from({ length: count }, (_, at) => seedsOf(seeds, { index: at + 1, count }));
      const all = Array.from({ length: seeds.count }, (_, at) => seeds.from + at);
      expect(shards.flat().sort((a, b) => a - b)).toEqual(all);
      const sizes = shards.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
  );
});
