/** The end-to-end tests run what ships, from dist/. It also starts in a third of the time that the source takes. */
import { execFileSync } from 'node:child_process';
import { root } from './run-cli.ts';

/** Vitest's global set-up, once before the first of them. Incremental: seconds where nothing changed. */
export default function build(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
}
