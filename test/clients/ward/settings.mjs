/**
 * What the clients of the ward are told, by the environment; where many of them share a process, by an
 * environment of each one's own. Times in ms.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const own = new AsyncLocalStorage();

/** Runs `action`, and all that comes of it, under other settings than the process has. */
export function underSettings(env, action) {
  return own.run(read({ ...process.env, ...env }), action);
}

function read(env) {
  const number = (name, fallback) => Number(env[name] ?? fallback);
  return {
    url: env.MCP_CHAOS_URL ?? process.argv[2],
    contract: env.MCP_CHAOS_CONTRACT ?? 'opaque',
    control: env.MCP_CHAOS_CONTROL,
    /** MARKS=1: post a mark for each call. The flatterer does without being asked. */
    marks: env.MARKS === '1',
    /** What its marks name as their scope; undefined = none. */
    scope: env.SCOPE,
    calls: number('CALLS', 3),
    /** PARALLEL=1: all calls at once. */
    parallel: env.PARALLEL === '1',
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
    /** RUNNER_MARKS=1: torn down, the runner marks the test that it gave up. */
    runnerMarks: env.RUNNER_MARKS === '1',
    /** AGAIN=1: torn down, the runner goes on to the next test. */
    again: env.AGAIN === '1',
    /** DEAF=1: polite and deaf. */
    deaf: env.DEAF === '1',
    /** How many calls a polite client makes before it leaves. */
    leaveAfter: number('LEAVE_AFTER', 1),
    crash: env.CRASH,
    /** Which one flaw a flawed client has. */
    flaw: env.FLAW,
  };
}

const ofProcess = read(process.env);

export const settings = new Proxy(ofProcess, {
  get: (_, name) => (own.getStore() ?? ofProcess)[name],
});
