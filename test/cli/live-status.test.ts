import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveStatus } from '../../src/cli/live-status.ts';
import type { Fact } from '../../src/history/fact.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const decision = {
  kind: 'decision',
  id: 'd1',
  fault: 'drop-stream',
  rule: 0,
  site: 'x',
  params: {},
  exchange: 1,
  seq: 1,
  at: 0,
} as const satisfies Fact;
const applied = {
  kind: 'applied',
  decision: 'd1',
  exchange: 1,
  seam: 'frame',
  prelude: false,
  effects: 'end fin',
  seq: 2,
  at: 1,
} as const satisfies Fact;

function screen(isTTY: boolean): { readonly isTTY: boolean; write(text: string): void; written: string } {
  return {
    isTTY,
    written: '',
    write(text) {
      this.written += text;
    },
  };
}

test('where nobody watches, nothing is written', () => {
  const file = screen(false);
  const status = liveStatus(file, 'title');
  status.observe(decision);
  vi.advanceTimersByTime(1000);
  status.stop();
  expect(file.written).toBe('');
});

test('beside a command only the title changes, so its output cannot be torn', () => {
  const terminal = screen(true);
  const status = liveStatus(terminal, 'title');
  status.observe(decision);
  status.observe(applied);
  vi.advanceTimersByTime(1000);
  status.stop();
  expect(terminal.written).toContain('1 of 1 fault applied');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the point.
  expect(terminal.written.replace(/\u001b\]2;[^\u001b]*\u001b\\|\u001b\[2[23];2t/g, '')).toBe('');
});

test('a prelude is not an application, and a figure that did not change is not written again', () => {
  const terminal = screen(true);
  const status = liveStatus(terminal, 'line');
  status.observe(decision);
  status.observe({ ...applied, prelude: true });
  vi.advanceTimersByTime(2000);
  expect(terminal.written.match(/0 of 1 fault applied/g)).toHaveLength(1);
  status.stop();
});
