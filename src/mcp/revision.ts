/**
 * Revisions of the specification, read off the wire. They are ISO dates, so they compare as text; one
 * that is not known here is treated by where it falls. `undefined` is a client that has not said:
 * 2025-06-18 (basic/transports, Protocol Version Header) lets a server assume 2025-03-26.
 */

const assumed = '2025-03-26';

/** Negative, zero or positive, as `a` is earlier than, the same as or later than `b`. */
export function compareRevisions(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Streamable HTTP with `Mcp-Session-Id` (2025-03-26) until 2026-07-28 took sessions away, and resumption. */
export function hasSessions(revision: string | undefined): boolean {
  return between(revision, '2025-03-26', '2026-07-28');
}

/**
 * Clients MUST respect `retry` (2025-11-25, basic/transports, Sending Messages to the Server); from
 * 2026-07-28 on nothing reconnects, so nothing has to wait.
 */
export function requiresRetryRespect(revision: string | undefined): boolean {
  return between(revision, '2025-11-25', '2026-07-28');
}

function between(revision: string | undefined, since: string, until: string): boolean {
  const known = revision ?? assumed;
  return compareRevisions(known, since) >= 0 && compareRevisions(known, until) < 0;
}
