/**
 * Jumpy: takes every broken stream for a lost session. It ends the healthy session with DELETE, initializes
 * anew and calls again, without having looked at what a resume would bring: the false alarm.
 */
import { Client } from './base.mjs';
import { Renewing } from './renewing.mjs';
import { start } from './run.mjs';

class Jump extends Error {
  name = 'SessionGivenUp';
}

class Jumpy extends Renewing(Client) {
  async reconnect() {
    throw new Jump('a stream broke');
  }

  async recover(error, attempt, stream) {
    if (attempt === 6 || error.name === 'TimeoutError') return false;
    await this.leave(stream.session, error);
    return true;
  }

  async standingBroke(stream) {
    if (!stream.over) await this.leave(this.session, new Jump('the stand-alone stream broke'));
  }

  async leave(session, why) {
    if (this.session === session && this.renewal === undefined) {
      // Not awaited: `renew` has to take over before another call can come here.
      this.request('DELETE').catch(() => {});
    }
    await this.renew(session, why);
  }
}

export const client = () => new Jumpy();

await start(import.meta.url, client);
