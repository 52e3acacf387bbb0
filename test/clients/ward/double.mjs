/**
 * Double: never resumes; where the answer was lost it calls the tool again in the same session, with a new
 * request id. The tool is `charge`, so the side effect happens twice. Otherwise deaf.
 */
import { Client } from './base.mjs';
import { start } from './run.mjs';

class Broken extends Error {
  name = 'StreamBroken';
}

class Double extends Client {
  tool = 'charge';

  async reconnect() {
    throw new Broken('the stream ended before the answer');
  }

  async recover(error, attempt) {
    return error instanceof Broken && attempt < 3;
  }
}

export const client = () => new Double();

await start(import.meta.url, client);
