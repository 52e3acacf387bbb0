/**
 * What the server promises about event ids. The names are the ones that mcp-chaos gives a run's child in
 * `MCP_CHAOS_CONTRACT`.
 *
 * The contract is the seeds' condition of validity, in code: ids are compared as numbers only where the
 * server promises numbers. The specification alone (2025-11-25, basic/transports, Resumability and
 * Redelivery) makes them opaque strings that are unique in the session.
 */

/**
 * - `monotonic:stream`: numbers; within a stream each is its predecessor + 1.
 * - `monotonic:session`: numbers, one counter for all streams of a session: a gap inside a stream is normal.
 * - `epoch`: `<epoch>:<number>`, numbers as in `monotonic:stream`; another epoch is another incarnation.
 * - `opaque`: nothing beyond the specification. An id that comes twice must carry the same event.
 */
export type Contract = (typeof contracts)[number];

export const contracts = ['monotonic:stream', 'monotonic:session', 'epoch', 'opaque'] as const;

/** Checks a contract that comes from outside, an environment variable for instance. Throws a TypeError. */
export function readContract(text: string): Contract {
  const known = contracts.find((contract) => contract === text);
  if (known === undefined) {
    throw new TypeError(`contract: one of ${contracts.join(', ')} was expected, found "${text}"`);
  }
  return known;
}
