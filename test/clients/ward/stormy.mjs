/**
 * Stormy: reconnects without pause, whatever `retry` says, and opens a broken stream a dozen times over,
 * all at the same time, and keeps the last. Otherwise deaf.
 */
import { Client, never } from './base.mjs';
import { start } from './run.mjs';

class Stormy extends Client {
  async pause() {}

  async reconnect(stream) {
    // Against a server that ends every leg at once this would go on for thousands; the point is made before.
    return stream.resumes > 300 ? never() : super.reconnect(stream);
  }

  async resume(stream, cursor) {
    const stop = new AbortController();
    const headers = { 'last-event-id': cursor };
    const extra = Array.from({ length: 11 }, () => this.request('GET', { headers, signal: stop.signal }));
    this.resumes += extra.length;
    stream.resumes += extra.length;
    await Promise.allSettled(extra);
    // The stream is the latest one's; what the others are told meanwhile nobody reads.
    const kept = await super.resume(stream, cursor);
    stop.abort();
    return kept;
  }
}

export const client = () => new Stormy();

await start(import.meta.url, client);
