/** Hanging: deaf, and without a timeout of its own. Left to it for HANG_MS, then the process exits with 0. */
import { Client } from './base.mjs';
import { run } from './run.mjs';
import { settings } from './settings.mjs';

class Hanging extends Client {
  timeoutMs = undefined;
  leftAfterMs = settings.hangMs;
}

await run(new Hanging());
