import { describe, expect, test } from 'vitest';
import {
  compareRevisions,
  hasResumability,
  hasSessions,
  knownRevisions,
  requiresRetryRespect,
} from '../../src/mcp/revision.ts';

describe('revisions', () => {
  test.each([
    // revision, sessions, resumability, retry must be respected
    ['2024-11-05', false, false, false],
    ['2025-03-26', true, true, false],
    ['2025-06-18', true, true, false],
    ['2025-11-25', true, true, true],
    ['2026-07-28', false, false, false],
    // Unknown ones fall where their date does.
    ['2025-09-01', true, true, false],
    ['2026-01-01', true, true, true],
    ['2027-03-01', false, false, false],
    // A draft is the latest there is.
    ['DRAFT-2026-v1', false, false, false],
    // Nothing said: 2025-03-26 is to be assumed.
    [undefined, true, true, false],
  ])('%s', (revision, sessions, resumability, retry) => {
    expect([hasSessions(revision), hasResumability(revision), requiresRetryRespect(revision)]).toEqual([
      sessions,
      resumability,
      retry,
    ]);
  });

  test('are in order, each known one later than the one before', () => {
    expect([...knownRevisions].sort(compareRevisions)).toEqual(knownRevisions);
    expect(compareRevisions('2025-06-18', '2025-06-18')).toBe(0);
    expect(compareRevisions('2025-06-18', '2025-11-25')).toBeLessThan(0);
    expect(compareRevisions('2027-01-01', '2026-07-28')).toBeGreaterThan(0);
  });
});
