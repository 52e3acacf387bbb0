/* global after, afterEach, before, beforeEach, describe, it */
import { ask, start } from './server.mjs';

export const inMocha = (suite) =>
  describe(suite, () => {
    let server;
    before(async () => {
      server = await start();
      await ask(server, 'a hook');
    });
    after(() => server.stop());
    beforeEach(() => ask(server, 'before each'));
    it('by fetch', () => ask(server, 'by fetch'));
    afterEach(() => ask(server, 'after each'));
  });
