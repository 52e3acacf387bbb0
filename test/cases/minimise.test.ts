/** Delta debugging against oracles that are known: what is needed stays, and nothing else does. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FirstOf, minimise } from '../../src/cases/minimise.ts';

/** Counts how often it is asked, and answers as a run would. */
function oracle(fails: (list: readonly number[]) => boolean): {
  firstOf: FirstOf<number>;
  asked: () => number;
} {
  let asked = 0;
  return {
    asked: () => asked,
    async firstOf(candidates) {
      for (const [at, candidate] of candidates.entries()) {
        asked += 1;
        if (fails(candidate)) return at;
      }
      return undefined;
    },
  };
}

const lists = fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 20 });

test('what is needed together is found exactly, wherever it stands', async () => {
  await fc.assert(
    fc.asyncProperty(
      lists.chain((list) => fc.tuple(fc.constant(list), fc.subarray(list, { minLength: 1 }))),
      async ([list, needed]) => {
        const { firstOf } = oracle((some) => needed.every((one) => some.includes(one)));
        expect(await minimise(list, firstOf)).toEqual(needed);
      },
    ),
  );
});

test('the result fails, and fails no more with any one element less, whatever the oracle', async () => {
  // A failure that comes and goes with the sum is monotone in nothing.
  await fc.assert(
    fc.asyncProperty(lists, fc.integer({ min: 2, max: 7 }), async (list, modulus) => {
      const sum = (some: readonly number[]): number => some.reduce((total, one) => total + one, 0);
      const fails = (some: readonly number[]): boolean => sum(some) % modulus === sum(list) % modulus;
      const result = await minimise(list, oracle(fails).firstOf);
      expect(fails(result)).toBe(true);
      if (result.length === 1) return;
      for (const one of result) expect(fails(result.filter((other) => other !== one))).toBe(false);
    }),
  );
});

test('order is kept', async () => {
  const { firstOf } = oracle((some) => some.indexOf(7) >= 0 && some.indexOf(7) < some.indexOf(3));
  expect(await minimise([9, 7, 5, 1, 3, 2, 8, 4], firstOf)).toEqual([7, 3]);
});

describe('how often the command runs', () => {
  test.each([
    [8, 1, 7],
    [8, 2, 28],
    [64, 1, 13],
    [64, 2, 80],
  ])('of %i decisions %i are needed: at most %i', async (length, needed, most) => {
    const list = Array.from({ length }, (_, at) => at);
    const wanted = needed === 1 ? [length - 1] : [Math.floor(length / 3), length - 2];
    const { firstOf, asked } = oracle((some) => wanted.every((one) => some.includes(one)));
    expect(await minimise(list, firstOf)).toEqual(wanted);
    expect(asked()).toBeLessThanOrEqual(most);
  });

  test('none where there is nothing to leave out', async () => {
    const { firstOf, asked } = oracle(() => true);
    expect(await minimise([4], firstOf)).toEqual([4]);
    expect(asked()).toBe(0);
  });
});
