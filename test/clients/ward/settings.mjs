/** What the clients of the ward are told, by the environment. Times in ms. */
const number = (name, fallback) => Number(process.env[name] ?? fallback);

export const settings = {
  url: process.env.MCP_CHAOS_URL ?? process.argv[2],
  contract: process.env.MCP_CHAOS_CONTRACT ?? 'opaque',
  control: process.env.MCP_CHAOS_CONTROL,
  /** MARKS=1: post a mark for each call. The flatterer does without being asked. */
  marks: process.env.MARKS === '1',
  calls: number('CALLS', 3),
  /** PARALLEL=1: all calls at once. */
  parallel: process.env.PARALLEL === '1',
  parts: number('PARTS', 5),
  partMs: number('PART_MS', 5),
  /** A call's own timeout, where the client has one. */
  timeoutMs: number('TIMEOUT_MS', 3000),
  /** How long a stream under a call may be silent before a client that listens for silence asks why. */
  idleMs: number('IDLE_MS', 700),
  /** How long a client that would hang or retry for ever is left to it. */
  hangMs: number('HANG_MS', 12_000),
  /** A test runner's patience with one call. */
  giveUpMs: number('GIVE_UP_MS', 1500),
};
