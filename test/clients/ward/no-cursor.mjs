/**
 * No cursor: keeps no event id at all. After a break it opens a stream without one, waits there for IDLE_MS,
 * and rejects the call. The seed documents' condition: whatever ids come then, they are no desync. On a 404
 * it starts a new session.
 */
import { discard, HttpError } from './base.mjs';
import { Loud } from './loud.mjs';
import { start } from './run.mjs';
import { Desync } from './watchful.mjs';

class NoCursor extends Loud {
  // The server has one stand-alone stream for each session, and this client needs it after a break.
  opensGet = false;

  receive(event, stream) {
    return super.receive({ ...event, id: undefined }, stream);
  }

  async reconnect(stream) {
    if (stream.resumes === 3) throw new Desync('the stream breaks again and again');
    await this.pause(stream);
    const response = await this.resume(stream, undefined);
    if (response.ok) return response;
    await discard(response);
    throw new HttpError(response.status, 'the reconnect without a cursor');
  }
}

export const client = () => new NoCursor();

await start(import.meta.url, client);
