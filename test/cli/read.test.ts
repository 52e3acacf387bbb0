import { describe, expect, test } from 'vitest';
import {
  readCount,
  readDuration,
  readListen,
  readRatio,
  readSwitch,
  readText,
  readTexts,
  readUrl,
} from '../../src/cli/read.ts';
import { ChaosError } from '../../src/errors.ts';

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ChaosError && error.code === 'usage') return error.message;
    throw error;
  }
  return 'nothing was thrown';
}

test('a flag that was not given is undefined, never a default', () => {
  for (const read of [readText, readDuration, readCount, readRatio, readUrl, readListen]) {
    expect(read({}, 'x')).toBeUndefined();
  }
  expect(readTexts({}, 'x')).toEqual([]);
  expect(readSwitch({}, 'x')).toBe(false);
});

test('a flag that is given twice says so, unless it may be', () => {
  expect(messageOf(() => readText({ seed: ['1', '2'] }, 'seed'))).toBe(
    '--seed: expected it once, found it 2 times: 1, 2',
  );
  expect(readTexts({ only: ['a', 'b'] }, 'only')).toEqual(['a', 'b']);
});

test.each([
  ['500', 500],
  ['500ms', 500],
  ['10s', 10_000],
  ['1.5s', 1500],
  ['2m', 120_000],
])('the duration %s is %d ms', (text, ms) => {
  expect(readDuration({ deadline: text }, 'deadline')).toBe(ms);
});

test.each(['0', '-5', 'soon', '5h', '1e3', '', '99999999999'])(
  'the duration "%s" is refused by name',
  (text) => {
    expect(messageOf(() => readDuration({ deadline: text }, 'deadline'))).toMatch(
      /^--deadline: expected .*found/,
    );
  },
);

test.each(['0', '1.5', '-1', 'many', '99999999999999999'])('the count "%s" is refused', (text) => {
  expect(messageOf(() => readCount({ 'store-events': text }, 'store-events'))).toContain(`found "${text}"`);
});

test('ratios are from 0 to 1, or percentages', () => {
  expect(readRatio({ r: '0.9' }, 'r')).toBe(0.9);
  expect(readRatio({ r: '90%' }, 'r')).toBe(0.9);
  expect(readRatio({ r: '0' }, 'r')).toBe(0);
  for (const text of ['90', '1.1', '101%', 'all', '0x1', '1.2.3']) {
    expect(messageOf(() => readRatio({ r: text }, 'r'))).toContain('expected a ratio');
  }
});

describe('addresses', () => {
  test('an upstream is http or https', () => {
    expect(readUrl({ upstream: 'https://localhost:3000/mcp' }, 'upstream')?.href).toBe(
      'https://localhost:3000/mcp',
    );
  });

  test('one without its scheme is told with it', () => {
    expect(messageOf(() => readUrl({ upstream: 'localhost:3000/mcp' }, 'upstream'))).toContain(
      'http://localhost:3000/mcp',
    );
    expect(messageOf(() => readUrl({ upstream: 'ftp://x' }, 'upstream'))).toContain('found "ftp://x"');
  });

  test.each([
    ['8080', { port: 8080 }],
    [':8080', { port: 8080 }],
    ['localhost', { host: 'localhost' }],
    ['127.0.0.1', { host: '127.0.0.1' }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['localhost:8080', { host: 'localhost', port: 8080 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
    ['[::1]', { host: '::1' }],
  ])('%s is understood', (text, expected) => {
    expect(readListen({ listen: text }, 'listen')).toEqual(expected);
  });

  test.each(['99999', 'a:b', '::1', '127.0.0.1:x', 'http://x:1'])('%s is refused', (text) => {
    expect(messageOf(() => readListen({ listen: text }, 'listen'))).toContain('--listen: expected');
  });
});
