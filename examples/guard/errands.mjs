/**
 * What an application does about a desync, once for all recipes: which calls it issues again, and how it finds
 * out. The guard only says that the answers are lost; nobody but the application knows what may run twice.
 */

/** The MCP endpoint, as mcp-chaos gives it; or the first argument. */
export const url = new URL(process.env.MCP_CHAOS_URL ?? process.argv[2] ?? usage());

/** What the server promises about its event ids. Without such a promise leave it out. */
export const contract = process.env.MCP_CHAOS_CONTRACT ?? 'opaque';

/** Milliseconds. The guard has to be quicker than the client's own patience to be of any use. */
export const timeout = Number(process.env.TIMEOUT_MS ?? 3000);
export const patience = {
  livenessMs: Math.min(30_000, timeout / 3),
  resumeMs: Math.min(30_000, timeout / 3),
  stallMs: Math.min(60_000, timeout / 4),
};

/** Under mcp-chaos a new session may be hit as the old one was. */
const maxAttempts = 5;

const errands = [
  { name: 'count', arguments: { n: 4 } },
  { name: 'report', arguments: { sections: 3 } },
  { name: 'charge', arguments: { amount: 12, reference: 'order-12' } },
  { name: 'count', arguments: { n: 6 } },
  { name: 'report', arguments: { sections: 5 } },
  { name: 'charge', arguments: { amount: 30, reference: 'order-30' } },
];

/**
 * @param connect makes a client in a new session: `{ call(tool), isReadOnly(name), close() }`.
 * @param desyncs what the guard has told so far; the recipe's `onDesync` appends to it.
 */
export async function runErrands(connect, desyncs) {
  let client = await connect();
  let failures = 0;

  async function reconnect() {
    // It also ends the old session, which the guard lets through; the server may have forgotten it already.
    await client.close().catch(() => {});
    client = await connect();
  }

  /** One call, and what to do when its answer is lost. Our checkpoint is the list of errands, not an event id. */
  async function run(errand, attempt = 1) {
    const told = desyncs.length;
    try {
      return await client.call(errand);
    } catch (error) {
      const desync = desyncs[told];
      if (desync === undefined) throw error;
      console.log(`  ${desync.cause}: ${desync.message}`);
      if (desync.sessionEnded) await reconnect();
      if (attempt === maxAttempts) throw error;
      if (!(await mayRunAgain(errand))) return 'done before its answer was lost';
      return run(errand, attempt + 1);
    }
  }

  async function mayRunAgain({ name, arguments: args }) {
    if (await client.isReadOnly(name)) return true;
    // A charge must not run twice: ask whether it ran.
    const ran = await run({ name: 'charges', arguments: { reference: args.reference } });
    return Number(ran) === 0;
  }

  for (const errand of errands) {
    const start = Date.now();
    const label = `${errand.name} ${JSON.stringify(errand.arguments)}`;
    try {
      const result = await run(errand);
      console.log(`${label}: ${result.split('\n').at(-1)} (${Date.now() - start} ms)`);
    } catch (error) {
      failures += 1;
      console.log(`${label}: FAILED: ${error.message} (${Date.now() - start} ms)`);
    }
  }
  // How often each charge really ran, read over a session that works.
  for (const { arguments: args } of errands.filter(({ name }) => name === 'charge')) {
    const times = await run({ name: 'charges', arguments: { reference: args.reference } }).catch(() => '?');
    console.log(`${args.reference} was charged ${times} time(s)`);
    if (times !== '1') failures += 1;
  }
  await client.close();
  console.log(`${desyncs.length} desync(s) told by the guard, ${failures} errand(s) failed`);
  process.exit(failures === 0 ? 0 : 1);
}

function usage() {
  console.error('Set MCP_CHAOS_URL, or give the URL of an MCP endpoint.');
  process.exit(64);
}
