import { expect, test } from 'vitest';
import type { Fact } from '../../src/history/fact.ts';
import { isOnSide, ofKind } from '../../src/history/queries.ts';

test('facts are found by kind and by side', () => {
  const facts: readonly Fact[] = [
    { kind: 'stream-opened', stream: 's1', exchange: 1, born: 'POST', seq: 1, at: 0 },
    { kind: 'run-ended', reason: 'stopped', seq: 2, at: 1 },
    { kind: 'stream-opened', stream: 's2', exchange: 2, born: 'GET', seq: 3, at: 2 },
  ];
  expect(ofKind(facts, 'stream-opened').map((fact) => fact.stream)).toEqual(['s1', 's2']);
  expect((['both', 'client', 'upstream'] as const).map((side) => isOnSide(side, 'client'))).toEqual([
    true,
    true,
    false,
  ]);
});
