/**
 * Stormy: reconnects without pause, whatever `retry` says, and opens a broken stream a dozen times over,
 * dropping each connection at its head but the last. Otherwise deaf.
 */
import { Client, never } from './base.mjs';
import { start } from './run.mjs';

class Stormy extends Client {
  async pause() {}

  async reconnect(stream) {
    // Against a server that ends every leg at once this would go on for thousands; the point is made before.
    if (!stream.cursor || stream.resumes > 300) return never();
    for (let extra = 0; extra < 11; extra += 1) {
      await this.resume(stream, stream.cursor).catch(() => {});
      stream.leg.abort();
    }
    return super.reconnect(stream);
  }
}

export const client = () => new Stormy();

await start(import.meta.url, client);
