/**
 * What the official clients are made to do in end-to-end tests, whatever their version: connect, list the
 * tools, make calls of several parts, print one line of JSON with what became of each call.
 *
 * Environment: MCP_CHAOS_URL (or the first argument); CALLS (3), PARTS (5), PART_MS (5), TIMEOUT_MS (3000),
 * PARALLEL=1; TOOL and ARGS for another tool than `count`, e.g. of server-everything;
 * LISTEN_MS: also subscribe to a note, touch it, and wait so long for the update on the GET stream;
 * GIVE_UP_MS: a test runner's patience with each call, after which it closes the client and exits 1.
 */
const number = (name, fallback) => Number(process.env[name] ?? fallback);

/** @param connect makes a connected client of a version: `{ client, call(params, options), onUpdated(handler) }` */
export async function drive(name, connect) {
  const url = new URL(process.env.MCP_CHAOS_URL ?? process.argv[2]);
  const timeout = number('TIMEOUT_MS', 3000);
  const began = performance.now();
  const report = { client: name, connected: false, calls: [], errors: [] };
  const finish = async (code) => {
    report.ms = Math.round(performance.now() - began);
    await new Promise((written) => process.stdout.write(`${JSON.stringify(report)}\n`, written));
    // Streams that are still being retried keep the process alive otherwise.
    process.exit(code);
  };

  let connection;
  try {
    connection = await connect(url);
    report.connected = true;
    connection.client.onerror = (error) => report.errors.push(String(error?.message ?? error));
    report.revision = connection.client.getNegotiatedProtocolVersion?.() ?? connection.revision?.();
    report.tools = (await connection.client.listTools(undefined, { timeout })).tools.length;
  } catch (error) {
    report.errors.push(String(error?.message ?? error));
    await finish(report.connected ? 0 : 1);
  }

  async function call(index) {
    const params = {
      name: process.env.TOOL ?? 'count',
      arguments: process.env.ARGS
        ? JSON.parse(process.env.ARGS)
        : { n: number('PARTS', 5) + index, delayMs: number('PART_MS', 5) },
    };
    const start = performance.now();
    const entry = { tool: params.name, arguments: params.arguments, ok: false, parts: 0 };
    report.calls.push(entry);
    try {
      const { content } = await connection.call(params, { timeout, onprogress: () => (entry.parts += 1) });
      entry.ok = true;
      entry.blocks = content.length;
    } catch (error) {
      entry.error = String(error?.message ?? error);
    }
    entry.ms = Math.round(performance.now() - start);
  }

  /** As a runner does with a test: waits so long and then tears everything down. */
  async function watched(work) {
    if (process.env.GIVE_UP_MS === undefined) return work;
    const gaveUp = Symbol('gave up');
    const patience = new Promise((resolve) => setTimeout(resolve, number('GIVE_UP_MS'), gaveUp));
    if ((await Promise.race([work, patience])) !== gaveUp) return undefined;
    report.gaveUp = true;
    await connection.client.close();
    return finish(1);
  }

  const indexes = Array.from({ length: number('CALLS', 3) }, (_, index) => index);
  if (process.env.PARALLEL === '1') await watched(Promise.all(indexes.map(call)));
  else for (const index of indexes) await watched(call(index));

  if (process.env.LISTEN_MS !== undefined) {
    const uri = 'note://official';
    const updated = new Promise((resolve) => connection.onUpdated(() => resolve(true)));
    const waited = new Promise((resolve) => setTimeout(resolve, number('LISTEN_MS'), false));
    await connection.client.subscribeResource({ uri }, { timeout }).catch(() => {});
    await connection.call({ name: 'touch', arguments: { uri } }, { timeout }).catch(() => {});
    report.updated = await Promise.race([updated, waited]);
  }

  await connection.client.close();
  await finish(0);
}
