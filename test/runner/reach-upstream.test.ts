import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { reachUpstream } from '../../src/runner/reach-upstream.ts';

async function listener(): Promise<{ url: URL; received: () => string; close: () => Promise<void> }> {
  let received = '';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += String(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    received: () => received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

test('an upstream that listens is reached, and sent nothing', async () => {
  const server = await listener();
  await reachUpstream(server.url);
  await server.close();
  expect(server.received()).toBe('');
});

test('one where nobody listens is named, with the reason', async () => {
  const server = await listener();
  await server.close();
  await expect(reachUpstream(server.url)).rejects.toMatchObject({
    code: 'upstream-unreachable',
    message: `the upstream ${server.url.href} cannot be reached: nothing listens there`,
  });
});

test('a name that does not resolve is named', async () => {
  await expect(reachUpstream(new URL('http://no-such-host.invalid/mcp'))).rejects.toMatchObject({
    message: expect.stringContaining('no-such-host.invalid'),
  });
});

test('a server that does not speak TLS is no https upstream', async () => {
  const server = await listener();
  await expect(reachUpstream(new URL(server.url.href.replace('http:', 'https:')), 300)).rejects.toMatchObject(
    {
      code: 'upstream-unreachable',
    },
  );
  await server.close();
});
