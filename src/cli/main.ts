/** The process: arguments in, exit code out. Whatever the program left open must not keep us alive. */
import { main } from './program.ts';

// A reader such as `head` may go away first; that is its right.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

const code = await main(process.argv.slice(2));
// Pipes may be written to asynchronously; what was said must be out before we are gone.
await Promise.all(
  [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((resolve) => stream.write('', () => resolve())),
  ),
);
process.exit(code);
