/**
 * Loud: validates as the careful client does, and rejects the call at once with a named error. It keeps its
 * session, except after a 404, where the specification leaves no choice.
 */
import { isLoss } from './careful.mjs';
import { Renewing } from './renewing.mjs';
import { start } from './run.mjs';
import { Watchful } from './watchful.mjs';

export class Loud extends Renewing(Watchful) {
  async recover(error, _attempt, stream) {
    if (!isLoss(error)) return false;
    if (error.status === 404) await this.renew(stream.session, error);
    else this.noticed.push(error.message);
    return false;
  }

  standingFailed(error, stream) {
    if (stream.over) return;
    if (error.status === 404) this.renew(this.session, error).catch(() => {});
    else this.noticed.push(error.message);
  }
}

export const client = () => new Loud();

await start(import.meta.url, client);
