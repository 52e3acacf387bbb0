/** Runs a client of the ward: connect, CALLS calls, disconnect; prints one line of JSON and exits. */
import { basename } from 'node:path';
import { settings } from './settings.mjs';

/** Exit status 1 only where it could not connect: what became of the calls is for the watcher to find out. */
export async function run(client, tool = 'count') {
  const calls = [];
  const began = performance.now();

  client.finish = async (code) => {
    const { sessions, resumes, noticed } = client;
    const ms = Math.round(performance.now() - began);
    const line = { client: basename(process.argv[1], '.mjs'), calls, sessions, resumes, noticed, ms };
    await new Promise((written) => process.stdout.write(`${JSON.stringify(line)}\n`, written));
    process.exit(code);
  };

  try {
    await client.connect();
  } catch (error) {
    client.noticed.push(`could not connect: ${error.cause?.message ?? error.message}`);
    await client.finish(1);
  }

  async function call(index) {
    const args =
      tool === 'count'
        ? { n: settings.parts + index, delayMs: settings.partMs }
        : { amount: index + 1, reference: `ward-${process.pid}` };
    const entry = { tool, ok: false };
    calls.push(entry);
    const start = performance.now();
    const patience = client.leftAfterMs && setTimeout(() => client.finish(0), client.leftAfterMs);
    try {
      Object.assign(entry, await client.call(tool, args), { ok: true });
    } catch (error) {
      Object.assign(entry, { parts: error.parts, error: `${error.name}: ${error.message}` });
    }
    clearTimeout(patience);
    entry.ms = Math.round(performance.now() - start);
  }

  const indexes = Array.from({ length: settings.calls }, (_, index) => index);
  if (settings.parallel) await Promise.all(indexes.map(call));
  else for (const index of indexes) await call(index);

  await client.disconnect();
  await client.finish(0);
}
