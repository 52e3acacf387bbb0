// The README's first command: the main job on the embedded server, with the official client as the subject.
// mcp-chaos exits 1 here, and that is the point: the client misses the desyncs. Only that is a demo that
// worked, so a report that says 1 becomes 0, and everything else (a crash exits 1 too) is passed on.

import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const reportPath = '.mcp-chaos/demo.json';
const client = 'node examples/quickstart/client.mjs';
const args = `--profile desync --seed 42 --client-timeout 3000 --report json=${reportPath} -- ${client}`;

rmSync(`${root}/${reportPath}`, { force: true });
console.error(`$ npx mcp-chaos ${args}\n`);
const run = spawnSync(process.execPath, ['bin/mcp-chaos.js', ...args.split(' ')], {
  cwd: root,
  stdio: 'inherit',
});
if (run.error) throw run.error;

if (reportedExit() === 1 && run.status === 1) {
  console.error(
    '\nmcp-chaos exited 1: the client missed desyncs that it could have seen. A CI job fails here.',
  );
} else {
  console.error(`\nmcp-chaos exited ${run.status ?? run.signal}, where this demo expects 1 and a report.`);
  process.exitCode = run.status || 70;
}

function reportedExit() {
  try {
    return JSON.parse(readFileSync(`${root}/${reportPath}`, 'utf8')).exitCode;
  } catch {
    return undefined;
  }
}
