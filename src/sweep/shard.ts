/** Which seeds a shard runs: every count-th of the range, so that shards take equally long. */
import type { Shard } from './record.ts';

export const wholeSweep: Shard = { index: 1, count: 1 };

export function seedsOf(
  range: { readonly from: number; readonly count: number },
  { index, count }: Shard,
): readonly number[] {
  const seeds: number[] = [];
  for (let at = index - 1; at < range.count; at += count) seeds.push(range.from + at);
  return seeds;
}
