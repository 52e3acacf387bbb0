import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as api from '../src/index.ts';

test('the public API is this list; a change of it is a change for its users', () => {
  expect(Object.keys(api).sort()).toEqual([
    'ChaosError',
    'ProfileError',
    'createJournal',
    'decisionsDigest',
    'decodeJournal',
    'decodeSweep',
    'encodeFact',
    'faultNamed',
    'faults',
    'foldSweep',
    'judge',
    'loadProfile',
    'parseProfile',
    'profileNames',
    'readSweepFile',
    'reporterNamed',
    'reporters',
    'run',
    'startEmbeddedServer',
    'startProxy',
  ]);
});

test('every name is exported by name, so that none comes by accident', () => {
  const source = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8');
  expect(source).not.toContain('export *');
});
