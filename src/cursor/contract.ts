/**
 * Cursor contracts: what a run promises its client about event ids.
 *
 * The seed document's rule ("the first event after a reconnect is `last_seen + 1` within the same
 * epoch") holds only where such a contract was declared; the specification alone (2025-11-25,
 * basic/transports, Resumability and Redelivery) makes ids opaque. The contract travels to the child
 * in `MCP_CHAOS_CONTRACT`.
 */

/**
 * - `monotonic:stream`: decimal numbers, successor is +1 within a stream and epoch, streams in disjoint ranges.
 * - `monotonic:session`: one counter shared by the streams of a session; a gap inside a stream is normal.
 * - `epoch`: `<epoch>:<seq>`, `seq` as in `monotonic:stream`.
 * - `opaque`: the specification's minimum; upstream's own ids pass through.
 */
export type Contract = (typeof contracts)[number];

export const contracts = ['monotonic:stream', 'monotonic:session', 'epoch', 'opaque'] as const;
