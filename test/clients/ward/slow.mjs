/** Slow: does nothing at all about a broken stream; only its own timeout ends the call. */
import { Client, never } from './base.mjs';
import { start } from './run.mjs';

class Slow extends Client {
  async reconnect() {
    return never();
  }
}

export const client = () => new Slow();

await start(import.meta.url, client);
