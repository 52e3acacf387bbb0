/** Runs a client of the ward: connect, CALLS calls, disconnect; says what became of the calls. */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { never } from './base.mjs';
import { settings, underSettings } from './settings.mjs';

/** A client as a program of its own: prints one line of JSON and exits. Does nothing where it is imported. */
export async function start(moduleUrl, make) {
  if (process.argv[1] !== fileURLToPath(moduleUrl)) return;
  const client = make();
  client.finish = async (code) => {
    const line = { client: basename(process.argv[1], '.mjs'), ...said(client) };
    await new Promise((written) => process.stdout.write(`${JSON.stringify(line)}\n`, written));
    process.exit(code);
  };
  await run(client);
}

/** A client as one of many in this process; when it is done its connections go, as those of a process would. */
export function runHere(make, env) {
  return underSettings(env, () => {
    const client = make();
    return new Promise((resolve, reject) => {
      client.finish = async () => {
        client.gone.abort();
        resolve(said(client));
        return never();
      };
      run(client).catch(reject);
    });
  });
}

function said({ calls, sessions, resumes, noticed, began }) {
  return { calls, sessions, resumes, noticed, ms: Math.round(performance.now() - began) };
}

/** Exit status 1 only where it could not connect: what became of the calls is for the watcher to find out. */
async function run(client) {
  const { calls, tool } = client;
  client.began = performance.now();
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
        : { amount: index + 1, reference: process.env.REFERENCE ?? 'ward' };
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
