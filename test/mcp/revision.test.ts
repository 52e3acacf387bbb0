import { describe, expect, test } from 'vitest';
import { compareRevisions, hasSessions, requiresRetryRespect } from '../../src/mcp/revision.ts';

describe('revisions', () => {
  test.each([
    // revision, sessions, retry must be respected
    ['2024-11-05', false, false],
    ['2025-03-26', true, false],
    ['2025-06-18', true, false],
    ['2025-11-25', true, true],
    ['2026-07-28', false, false],
    // Unknown ones fall where their date does.
    ['2025-09-01', true, false],
    ['2026-01-01', true, true],
    ['2027-03-01', false, false],
    // A draft is the latest there is.
    ['DRAFT-2026-v1', false, false],
    // Nothing said: 2025-03-26 is to be assumed.
    [undefined, true, false],
  ])('%s', (revision, sessions, retry) => {
    expect([hasSessions(revision), requiresRetryRespect(revision)]).toEqual([sessions, retry]);
  });

  test('are in the order of their dates', () => {
    expect(compareRevisions('2025-06-18', '2025-06-18')).toBe(0);
    expect(compareRevisions('2025-06-18', '2025-11-25')).toBeLessThan(0);
    expect(compareRevisions('2027-01-01', '2026-07-28')).toBeGreaterThan(0);
  });
});
