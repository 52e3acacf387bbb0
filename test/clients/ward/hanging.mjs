/** Hanging: deaf, and without a timeout of its own. Left to it for HANG_MS, then the process exits with 0. */
import { Client } from './base.mjs';
import { start } from './run.mjs';
import { settings } from './settings.mjs';

class Hanging extends Client {
  timeoutMs = undefined;
  leftAfterMs = settings.hangMs;
}

export const client = () => new Hanging();

await start(import.meta.url, client);
