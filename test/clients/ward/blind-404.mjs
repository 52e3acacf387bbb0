/**
 * Blind to 404: careful in everything else, but a 404 is to it an error of that one call. It keeps the dead
 * session and its id (2025-11-25, basic/transports, Session Management: it MUST start a new one).
 */
import { Careful } from './careful.mjs';
import { start } from './run.mjs';

class Blind404 extends Careful {
  async recover(error, attempt, stream) {
    return error.status === 404 ? false : super.recover(error, attempt, stream);
  }

  standingFailed(error, stream) {
    if (error.status !== 404) super.standingFailed(error, stream);
  }
}

export const client = () => new Blind404();

await start(import.meta.url, client);
