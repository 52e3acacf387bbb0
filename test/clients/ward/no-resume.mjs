/**
 * No resume: rejects the call at the break, at once, with a named error, and goes on with the next; it never
 * sends a cursor. Legal: resuming is a SHOULD. On a 404 it starts a new session.
 */
import { Loud } from './loud.mjs';
import { start } from './run.mjs';
import { Desync } from './watchful.mjs';

class NoResume extends Loud {
  async reconnect() {
    throw Object.assign(new Desync('the stream ended before the answer'), { name: 'StreamLostError' });
  }

  cursorFor() {
    return undefined;
  }
}

export const client = () => new NoResume();

await start(import.meta.url, client);
