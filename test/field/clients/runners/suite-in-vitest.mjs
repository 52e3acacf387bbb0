import { afterAll, beforeAll, beforeEach, describe, test, vi } from 'vitest';
import { ask, start } from './server.mjs';

export function inVitest(suite) {
  let server;
  beforeAll(async () => {
    server = await start();
    await ask(server, 'a hook', fetch);
  });
  afterAll(() => server.stop());

  describe(suite, () => {
    beforeEach(() => ask(server, 'before each', fetch));
    test('by fetch', () => ask(server, 'by fetch', fetch));
  });
  test.concurrent('at the same time', () => ask(server, 'at the same time', fetch));
  test('with a fake clock', async () => {
    vi.useFakeTimers();
    await ask(server, 'with a fake clock', fetch).finally(() => vi.useRealTimers());
  });
  test('with another fetch', async () => {
    vi.stubGlobal('fetch', async () => new Response(''));
    await ask(server, 'with another fetch', fetch).finally(() => vi.unstubAllGlobals());
  });
}
