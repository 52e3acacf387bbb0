/**
 * Crashing: a broken stream under a call is an uncaught error, and the process dies of it (exit status 1 and
 * a stack on stderr; with CRASH=signal by SIGABRT). Otherwise deaf.
 */
import { Client, never } from './base.mjs';
import { run } from './run.mjs';

class Crashing extends Client {
  async reconnect() {
    setImmediate(() => {
      if (process.env.CRASH === 'signal') process.kill(process.pid, 'SIGABRT');
      else throw new TypeError("Cannot read properties of undefined (reading 'result')");
    });
    return never();
  }
}

await run(new Crashing());
