/** Slow: does nothing at all about a broken stream; only its own timeout ends the call. */
import { Client, never } from './base.mjs';
import { run } from './run.mjs';

class Slow extends Client {
  async reconnect() {
    return never();
  }
}

await run(new Slow());
