/** The file of a sweep: made once, gone on with by its own sweep only, whole after a kill in the middle of a line. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSweepFile, readSweepFile } from '../../src/runner/sweep-file.ts';
import type { SweepStarted } from '../../src/sweep/record.ts';
import { failed, ran, started } from '../sweep/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-sweep-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
function fresh(): string {
  files += 1;
  return join(folder, String(files), 'sweep.ndjson');
}
const control = { kind: 'control-ended', exitCode: 0, durationMs: 5, requests: 2 } as const;

function begun(over: Partial<SweepStarted> = {}): string {
  const path = fresh();
  const file = openSweepFile(path, started(over), false);
  expect(file.before).toMatchObject({ runs: [], control: undefined });
  file.append(control);
  file.append(ran(1));
  file.close();
  return path;
}

test('each line is on disk when it is appended', () => {
  const path = fresh();
  const file = openSweepFile(path, started(), false);
  file.append(control);
  file.append(failed(2));
  expect(readSweepFile(path).runs).toEqual([failed(2)]);
  file.close();
});

test('what stands there is gone on with, and a line that was cut off does not swallow the next', () => {
  const path = begun();
  appendFileSync(path, '{"kind":"run-ended","seed":2,"exit');
  const file = openSweepFile(path, started(), true);
  expect(file.before.control).toEqual(control);
  expect(file.before.runs.map(({ seed }) => seed)).toEqual([1]);
  file.append(ran(3));
  file.close();
  expect(readSweepFile(path).runs.map(({ seed }) => seed)).toEqual([1, 3]);
  expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
});

test('to resume what never began is to begin: a pod need not know which start it is', () => {
  const path = fresh();
  openSweepFile(path, started(), true).close();
  expect(readSweepFile(path).started).toEqual(started());
});

describe('refused', () => {
  test('where a sweep is there and is not to be resumed', () => {
    const path = begun();
    expect(() => openSweepFile(path, started(), false)).toThrow('there is a sweep already');
    expect(readSweepFile(path).runs).toHaveLength(1);
  });

  test.each([
    ['another profile', { profile: 'reconnect' }, 'the profile differs'],
    [
      'a profile that says something else now',
      { profileDigest: 'x' },
      'what the profile desync says differs',
    ],
    ['another command', { command: ['other'] }, 'command differs'],
    [
      'other seeds',
      { seeds: { from: 1, count: 99 } },
      'expected seeds 1 to 99, shard 1/1, found seeds 1 to 12',
    ],
    ['another shard', { shard: { index: 2, count: 4 } }, 'expected seeds 1 to 12, shard 2/4'],
  ] as const)('%s', (_name, over, message) => {
    const path = begun();
    expect(() => openSweepFile(path, started(over), true)).toThrow(message);
    expect(readSweepFile(path).runs).toHaveLength(1);
  });

  test('what is no sweep, and what is not there', () => {
    const path = join(folder, 'other.txt');
    writeFileSync(path, 'something else\n');
    expect(() => openSweepFile(path, started(), true)).toThrow('is no sweep');
    expect(readFileSync(path, 'utf8')).toBe('something else\n');
    expect(() => readSweepFile(join(folder, 'gone.ndjson'))).toThrow('it does not exist');
    expect(() => openSweepFile(join(path, 'x.ndjson'), started(), false)).toThrow('cannot be created');
  });
});
