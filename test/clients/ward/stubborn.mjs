/**
 * Stubborn: resumes for ever, at a decent pace. A refusal, an empty leg or a silent one only makes it try
 * again; it has no timeout. Left to it for HANG_MS, then the process exits with 0.
 */
import { Client, discard } from './base.mjs';
import { start } from './run.mjs';
import { settings } from './settings.mjs';

class Stubborn extends Client {
  timeoutMs = undefined;
  idleMs = 300;
  leftAfterMs = settings.hangMs;

  async onSilence(stream) {
    stream.leg.abort();
  }

  async notAStream(response) {
    await discard(response);
    return undefined;
  }

  async reconnect(stream) {
    for (;;) {
      await this.pause(stream);
      const response = await this.resume(stream, stream.cursor).catch(() => undefined);
      if (response?.ok) return response;
      if (response) await discard(response);
    }
  }
}

export const client = () => new Stubborn();

await start(import.meta.url, client);
