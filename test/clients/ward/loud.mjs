/**
 * Loud: validates as the careful client does, and rejects the call at once with a named error. It keeps its
 * session, except after a 404, where the specification leaves no choice.
 */
import { fileURLToPath } from 'node:url';
import { isLoss } from './careful.mjs';
import { Renewing } from './renewing.mjs';
import { run } from './run.mjs';
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(new Loud());
