/** The child of scripts/official.ts: runs client processes, so many at once, each in a scope of its own. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const jobs = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const waiting = [...jobs];

async function work() {
  for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
    const url = `${process.env.MCP_CHAOS_URL}/s/${encodeURIComponent(job.scope)}`;
    const child = spawn(process.execPath, [job.file], {
      env: { ...process.env, MCP_CHAOS_URL: url },
      stdio: 'ignore',
    });
    await new Promise((resolve) => child.on('close', resolve));
  }
}

await Promise.all(Array.from({ length: 4 }, work));
