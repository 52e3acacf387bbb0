/** Parameters go to what says least, one by one where not all at once, and never to what a fault does not take. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FirstOf } from '../../src/cases/minimise.ts';
import { simplerValues, simplify } from '../../src/cases/simplify.ts';
import { faults } from '../../src/faults/index.ts';
import { paramsOf } from '../../src/profiles/fault-params.ts';

const skip = (params: Readonly<Record<string, unknown>>) => ({ fault: 'skip-events', site: 'a/b', params });
const drawn = { after: 3, count: 7, how: 'complete', idleMs: 40, over: 'events' };
type Bare = ReturnType<typeof skip>;

function firstThat(fails: (decisions: readonly Bare[]) => boolean): {
  firstOf: FirstOf<Bare>;
  runs: () => number;
} {
  let runs = 0;
  return {
    runs: () => runs,
    async firstOf(candidates) {
      for (const [at, candidate] of candidates.entries()) {
        runs += 1;
        if (fails(candidate)) return at;
      }
      return undefined;
    },
  };
}

describe('the values that are tried', () => {
  test('are those of the schema, simplest first, and never the one that there is', () => {
    for (const fault of faults) {
      for (const [name, schema] of Object.entries(paramsOf(fault))) {
        const values =
          schema.enum ?? [schema.minimum, schema.maximum, schema.default].filter((v) => v !== undefined);
        for (const value of values) {
          const params = { ...fault.bind({}).params, [name]: value };
          if (!fault.params.safeParse(params).success) continue;
          const simpler = simplerValues({ fault: fault.name, site: '', params }, name);
          expect(simpler).not.toContainEqual(value);
          if (schema.default !== undefined && schema.default !== value)
            expect(simpler[0]).toEqual(schema.default);
          for (const one of simpler)
            expect(fault.params.safeParse({ ...params, [name]: one }).success).toBe(true);
        }
      }
    }
  });

  test('of a whole number come nearer to it by halves', () => {
    expect(simplerValues(skip({ ...drawn, count: 9 }), 'count')).toEqual([1, 5, 7, 8]);
  });

  test('of a fault or a parameter that there no longer is are none', () => {
    expect(simplerValues({ fault: 'gone', site: '', params: { a: 3 } }, 'a')).toEqual([]);
    expect(simplerValues(skip({ gone: 3 }), 'gone')).toEqual([]);
  });
});

test('where parameters do not matter, one run shows it', async () => {
  const { firstOf, runs } = firstThat(() => true);
  const [{ params }] = (await simplify([skip(drawn)], firstOf)) as [Bare];
  expect(params).toEqual(faults.find(({ name }) => name === 'skip-events')!.bind({}).params);
  expect(runs()).toBe(1);
});

test('what matters stays, what does not goes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(['after', 'how', 'over', 'idleMs'] as const), async (matter) => {
      const { firstOf } = firstThat((decisions) =>
        matter.every((name) => decisions[0]!.params[name] === drawn[name]),
      );
      const [{ params }] = (await simplify([skip(drawn)], firstOf)) as [Bare];
      const plain = faults.find(({ name }) => name === 'skip-events')!.bind({}).params;
      for (const name of ['after', 'how', 'over', 'idleMs'] as const) {
        expect(params[name]).toEqual(matter.includes(name) ? drawn[name] : plain[name]);
      }
    }),
  );
});

test('where nothing simpler fails, the decisions are as they were', async () => {
  const { firstOf } = firstThat(() => false);
  const decisions = [skip(drawn), skip({ ...drawn, after: 2 })];
  expect(await simplify(decisions, firstOf)).toEqual(decisions);
});
