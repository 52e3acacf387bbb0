/**
 * The process of a worker: command lines in, exit codes out, one after another, until nobody is there to ask.
 * Each is carried out as `main.ts` does it, but for the process, which stays.
 */
import type { Done, Order } from '../runner/workers.ts';
import { main } from './program.ts';

process.on('message', async ({ argv }: Order) => {
  const done: Done = { code: await main(argv) };
  process.send?.(done);
});
// Whoever asked was killed. Exit handlers write the journal's rest and end the wrapped command.
process.on('disconnect', () => process.exit(130));
