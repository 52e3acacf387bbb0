/**
 * A client that fails only where one fault comes after another: found by a sweep, shrunk, and its case replayed
 * ten times, in one run each. `npm run build && npx tsx scripts/two-faults.ts`. The figures stand in docs/sweep.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-two-faults-'));
const env = { CALLS: '10', PARTS: '3', TIMEOUT_MS: '900', IDLE_MS: '300', NO_COLOR: '1' };

function chaos(...args: readonly string[]): { readonly code: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/mcp-chaos.js'), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  return { code: status, said: stdout + stderr };
}

try {
  const profile = join(root, 'test/e2e/fixtures/sweep/two-faults.yaml');
  const client = join(root, 'test/clients/ward/trusting.mjs');
  const flags = ['--profile', profile, '--seeds', '6', '--jobs', '2', '--client-timeout', '900'];
  const { said } = chaos('sweep', ...flags, '--', 'node', client);
  console.log(/^mcp-chaos: shrinking[\s\S]*/m.exec(said)?.[0].trim() ?? said);
  const [name] = readdirSync(join(folder, '.mcp-chaos/cases')) as [string];
  const path = `.mcp-chaos/cases/${name}`;
  console.log(readFileSync(join(folder, path), 'utf8'));
  const again = Array.from({ length: 10 }, () => chaos('replay', path));
  const shown = again.filter(({ said: line, code }) => code === 1 && line.startsWith('still failing')).length;
  console.log(`replayed ten times, one run each: ${shown} of 10 show it`);
  process.exitCode = shown === 10 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
