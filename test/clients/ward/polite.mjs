/**
 * Polite leaver: whenever LEAVE_AFTER calls are done and nothing is pending, it ends its session with DELETE,
 * and opens another for the next. That is leaving, not detecting. Careful while a call is under way; with
 * DEAF=1 deaf instead, so that nothing but its manners could be taken for a detection.
 */
import { Client } from './base.mjs';
import { Careful } from './careful.mjs';
import { start } from './run.mjs';
import { settings } from './settings.mjs';

const Polite = (Base) =>
  class Polite extends Base {
    callsDone = 0;

    async call(tool, args) {
      if (this.session === undefined) await this.connect();
      try {
        return await super.call(tool, args);
      } finally {
        this.callsDone += 1;
        if (this.callsDone % settings.leaveAfter === 0) await this.disconnect();
      }
    }
  };

export const client = () => new (Polite(settings.deaf ? Client : Careful))();

await start(import.meta.url, client);
