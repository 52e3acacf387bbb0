/**
 * Crashing: a broken stream under a call is an uncaught error, and the process dies of it (exit status 1 and
 * a stack on stderr; with CRASH=signal by SIGABRT). Otherwise deaf.
 */
import { Client, never } from './base.mjs';
import { start } from './run.mjs';
import { settings } from './settings.mjs';

class Crashing extends Client {
  async reconnect() {
    setImmediate(() => {
      if (settings.crash === 'signal') process.kill(process.pid, 'SIGABRT');
      else throw new TypeError("Cannot read properties of undefined (reading 'result')");
    });
    return never();
  }
}

export const client = () => new Crashing();

await start(import.meta.url, client);
