import { after, before, describe, test } from 'node:test';
import { ask, start } from './server.mjs';

let server;
before(async () => {
  server = await start();
});
after(() => server.stop());
describe('a suite', () => {
  test('by fetch', () => ask(server, 'by fetch'));
});
