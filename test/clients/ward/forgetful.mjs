/**
 * Forgetful: resumes with its cursor, but when that leg breaks too before it brought an event, the cursor is
 * gone: the next GET carries none (typescript-sdk#2499). Otherwise deaf.
 */
import { Client, discard, never } from './base.mjs';
import { start } from './run.mjs';

class Forgetful extends Client {
  cursorFor(stream) {
    return stream.resumed && stream.legEvents === 0 ? undefined : stream.cursor;
  }

  async get(stream, cursor) {
    stream.resumed ||= cursor !== undefined;
    return super.get(stream, cursor);
  }

  async withoutCursor(stream) {
    if (!stream.resumed) return never();
    await this.pause(stream);
    const response = await this.resume(stream, undefined);
    if (response.ok) return response;
    await discard(response);
    return never();
  }
}

export const client = () => new Forgetful();

await start(import.meta.url, client);
