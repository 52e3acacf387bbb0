import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/guard/clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a wait of more than 2^31 ms is as long as it says, and can be cancelled at any time', () => {
  const ran: string[] = [];
  systemClock.after(2 ** 31 + 5, () => ran.push('long'));
  const cancel = systemClock.after(2 ** 31 + 5, () => ran.push('cancelled'));
  systemClock.after(Number.POSITIVE_INFINITY, () => ran.push('never'));
  vi.advanceTimersByTime(2 ** 31 + 4);
  expect(ran).toEqual([]);
  cancel();
  vi.advanceTimersByTime(1);
  expect(ran).toEqual(['long']);
  vi.advanceTimersByTime(2 ** 33);
  expect(ran).toEqual(['long']);
});
