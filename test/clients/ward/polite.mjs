/**
 * Polite: ends its session with DELETE after each call, when nothing is pending, and opens another for the
 * next. That is leaving, not detecting. Careful while a call is under way; with DEAF=1 deaf instead, so that
 * nothing but its manners could be taken for a detection.
 */
import { Client } from './base.mjs';
import { Careful } from './careful.mjs';
import { run } from './run.mjs';

const Polite = (Base) =>
  class Polite extends Base {
    async call(tool, args) {
      if (this.session === undefined) await this.connect();
      try {
        return await super.call(tool, args);
      } finally {
        await this.disconnect();
      }
    }
  };

await run(new (Polite(process.env.DEAF === '1' ? Client : Careful))());
