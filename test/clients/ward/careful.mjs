/**
 * Careful: validates every id against the contract and the digest, asks on silence, and on a desync or a
 * refused resume gives the session up, initializes anew, and calls again from its checkpoint, which is the
 * last call that was answered. Every call resolves.
 */
import { HttpError } from './base.mjs';
import { Renewing } from './renewing.mjs';
import { start } from './run.mjs';
import { Desync, Watchful } from './watchful.mjs';

/** The stream or the session is lost: a TypeError is fetch's word for a connection that failed. */
export const isLoss = (error) =>
  error instanceof Desync || error instanceof HttpError || error instanceof TypeError;

export class Careful extends Renewing(Watchful) {
  async connect() {
    for (let tries = 1; ; tries += 1) {
      try {
        return await super.connect();
      } catch (error) {
        if (tries === 3 || !isLoss(error)) throw error;
      }
    }
  }

  async recover(error, attempt, stream) {
    if (attempt === 6 || !isLoss(error)) return false;
    await this.renew(stream.session, error);
    return true;
  }

  standingFailed(error, stream) {
    if (!stream.over && isLoss(error)) this.renew(this.session, error).catch(() => {});
  }
}

export const client = () => new Careful();

await start(import.meta.url, client);
