/** What the README's first command prints, from a real run. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export const sampleFile = fileURLToPath(new URL('../docs/sample.txt', import.meta.url));

/** Runs the demo and keeps its report as it was printed. */
export function recordSample(): void {
  const demo = spawnSync('node', ['scripts/demo.mjs'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 180_000,
    env: { ...process.env, NO_COLOR: '1' },
  });
  if (demo.status !== 0) throw new Error(`the demo exited ${demo.status}\n${demo.stdout}\n${demo.stderr}`);
  writeFileSync(sampleFile, reportOf(demo.stderr));
}

/** The summary inside what stands on stderr: from its heading to the line with the exit code. */
function reportOf(stderr: string): string {
  const summary = /^mcp-chaos \d[\s\S]*?^exit \d+: .*$/m.exec(stderr)?.[0];
  if (summary === undefined) throw new Error(`no summary in the demo's output\n${stderr}`);
  return `${summary}\n`;
}
