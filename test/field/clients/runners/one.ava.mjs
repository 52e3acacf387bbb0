import test from 'ava';
import { ask, start } from './server.mjs';

test('by fetch', async (t) => {
  const server = await start();
  await ask(server, 'by fetch');
  server.stop();
  t.pass();
});
