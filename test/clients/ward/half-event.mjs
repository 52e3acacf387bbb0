/**
 * Half-event: takes the id of an event that was cut before its empty line for a cursor, and so never gets
 * that event (WHATWG HTML 9.2.6: such an event is discarded, and the id with it). Otherwise deaf.
 */
import { Client } from './base.mjs';
import { start } from './run.mjs';

class HalfEvent extends Client {
  cursorFor(stream) {
    return stream.partialId ?? stream.cursor;
  }
}

export const client = () => new HalfEvent();

await start(import.meta.url, client);
