/**
 * Admits many clients of the ward at once: `node ward-host.mjs <file> [<how many at a time>]`.
 *
 * The file is a JSON list of `{ client, scope, env, process? }`. Each client gets the proxy's address with its
 * scope in the path, and settings of its own. They share this process, unless one asks for a process: then
 * this one ends as that one does, so that a crash is seen as what it is.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runHere } from './ward/run.mjs';

/** No client of the ward takes that long; one that does would keep the others waiting. */
const limitMs = 60_000;

const [, , file, atOnce = '40'] = process.argv;
const waiting = JSON.parse(readFileSync(file, 'utf8'));
const { origin } = new URL(process.env.MCP_CHAOS_URL);

async function admit({ client, scope, env, process: alone }) {
  const path = new URL(`ward/${client}`, import.meta.url);
  const all = { ...env, SCOPE: scope, MCP_CHAOS_URL: `${origin}/s/${encodeURIComponent(scope)}/mcp` };
  if (alone) return admitAlone(path, all);
  const { client: make } = await import(path.href);
  const limit = sleep(limitMs, undefined, { ref: false }).then(() => ({ stillThere: true }));
  const became = await Promise.race([runHere(make, all), limit]).catch((error) => ({ failed: error.stack }));
  console.log(JSON.stringify({ scope, ...became }));
}

function admitAlone(path, env) {
  const child = spawn(process.execPath, [fileURLToPath(path)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'ignore'],
  });
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      if (signal !== null) process.kill(process.pid, signal);
      process.exitCode = code ?? 1;
      resolve();
    });
  });
}

async function nurse() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await admit(next);
}

await Promise.all(Array.from({ length: Number(atOnce) }, nurse));
process.exit();
