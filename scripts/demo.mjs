// The README's first command: the main job on the embedded server, with the official client as the subject.
// mcp-chaos exits 1 here, and that is the point: the client misses the desyncs. Only that outcome is a
// demo that worked, so 1 becomes 0 and everything else is passed on.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const args = ['--profile', 'desync', '--seed', '42', '--client-timeout', '3000'];
const client = ['node', 'examples/quickstart/client.mjs'];

console.error(`$ npx mcp-chaos ${args.join(' ')} -- ${client.join(' ')}\n`);
const run = spawnSync(process.execPath, [at('bin/mcp-chaos.js'), ...args, '--', ...client], {
  cwd: at(''),
  stdio: 'inherit',
});
if (run.error) throw run.error;
if (run.status === 1) {
  console.error(
    '\nmcp-chaos exited 1: the client missed desyncs that it could have seen. A CI job fails here.',
  );
} else {
  console.error(
    `\nmcp-chaos exited ${run.status ?? run.signal}, and this demo expects 1. Exit codes: README.md.`,
  );
}
process.exitCode = run.status === 1 ? 0 : (run.status ?? 70) || 1;
