/** What is not MCP passes untouched, upgrades included; what names upstream's own URL is made to name ours. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type Observed, proxyTo } from './kit.ts';

let server: http.Server | https.Server | undefined;
let proxy: Observed | undefined;

async function start(handler: http.RequestListener): Promise<string> {
  server = http.createServer(handler);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await proxyTo(`${origin}/mcp`);
  return origin;
}

afterEach(async () => {
  await proxy?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
});

const own = (): string => `http://127.0.0.1:${proxy!.port}`;

it('a health check and a login page pass, and their bodies stay out of the journal', async () => {
  await start((request, response) => response.setHeader('x-path', request.url ?? '').end('secret page'));
  const answer = await fetch(`${own()}/login?next=%2F`);
  expect(await answer.text()).toBe('secret page');
  expect(answer.headers.get('x-path')).toBe('/login?next=%2F');
  expect(proxy!.of('request')).toMatchObject([{ mcp: false, path: '/login' }]);
  expect(JSON.stringify(proxy!.facts)).not.toContain('secret page');
});

it.each([
  [true, 'keep-alive'],
  [false, 'close'],
])(
  'upstream sees whether the client keeps its connection (%s), and one connection a request',
  async (keepAlive, said) => {
    const seen: (string | undefined)[] = [];
    const ports = new Set<number | undefined>();
    await start((request, response) => {
      seen.push(request.headers.connection);
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    const agent = new http.Agent({ keepAlive });
    for (const _ of [1, 2]) {
      await new Promise<void>((resolve) =>
        http.get(`${own()}/health`, { agent }, (answer) => answer.resume().on('end', resolve)),
      );
    }
    agent.destroy();
    expect(seen).toEqual([said, said]);
    expect(ports.size).toBe(2);
    // Ours is gone with its answer: a server that is asked to close has nothing to wait for.
    await new Promise((resolve) => server!.close(resolve));
    server = undefined;
  },
);

it('credentials and session ids reach upstream and not the journal', async () => {
  let seen: http.IncomingHttpHeaders = {};
  await start((request, response) => {
    seen = request.headers;
    response
      .setHeader('mcp-session-id', 'sid-s3cret')
      .setHeader('content-type', 'application/json')
      .end('{}');
  });
  const headers = {
    authorization: 'Bearer s3cret',
    cookie: 'sid=s3cret',
    'mcp-session-id': 'sid-s3cret',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  await fetch(`${own()}/mcp`, { method: 'POST', headers, body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' });
  expect(seen).toMatchObject({
    authorization: 'Bearer s3cret',
    cookie: 'sid=s3cret',
    'mcp-session-id': 'sid-s3cret',
  });
  expect(JSON.stringify(proxy!.facts)).not.toContain('s3cret');
});

describe('OAuth', () => {
  it('metadata names our URL, as recorded', async () => {
    let origin = '';
    origin = await start((_request, response) =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: ['https://login.example'] })),
    );
    const answer = await fetch(`${own()}/.well-known/oauth-protected-resource/mcp`);
    expect(await answer.json()).toEqual({
      resource: `${own()}/mcp`,
      authorization_servers: ['https://login.example'],
    });
    expect(proxy!.of('rewritten')).toMatchObject([{ what: 'OAuth protected-resource metadata' }]);
  });

  it('a challenge points at our metadata', async () => {
    let origin = '';
    origin = await start((_request, response) => {
      response.writeHead(401, {
        'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource"`,
      });
      response.end();
    });
    const answer = await fetch(`${own()}/mcp`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain(`"${own()}/.well-known/`);
    expect(proxy!.of('rewritten')).toMatchObject([{ what: 'WWW-Authenticate' }]);
  });
});

describe('an upgrade', () => {
  it('is passed in both directions, and its end too', async () => {
    await start((_request, response) => response.end());
    const sockets = new WebSocketServer({ server: server as http.Server });
    sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`echo ${data}`)));
    const client = new WebSocket(`ws://127.0.0.1:${proxy!.port}/feed`);
    await new Promise((resolve) => client.once('open', resolve));
    client.send('hello');
    expect(String(await new Promise((resolve) => client.once('message', resolve)))).toBe('echo hello');
    client.terminate();
    await expect.poll(() => sockets.clients.size, { timeout: 10_000 }).toBe(0);
    sockets.close();
  });

  it('from a foreign origin is refused', async () => {
    await start((_request, response) => response.end());
    const client = new WebSocket(`ws://127.0.0.1:${proxy!.port}/feed`, { origin: 'http://evil.example' });
    const failed = await new Promise((resolve) => client.once('error', () => resolve(true)));
    expect(failed).toBe(true);
  });
});

it('upstream may be https', async () => {
  const file = (name: string): string =>
    fileURLToPath(new URL(`fixtures/localhost.${name}`, import.meta.url));
  server = https.createServer(
    { key: readFileSync(file('key')), cert: readFileSync(file('crt')) },
    (_request, response) => response.end('over TLS'),
  );
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  // The certificate authority is given as a user gives it, which Node reads at start only.
  const script = `
    import { proxyTo } from './test/proxy/kit.ts';
    const proxy = await proxyTo('${url}');
    console.log(await (await fetch('http://127.0.0.1:' + proxy.port + '/health')).text());
    await proxy.close();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', script],
    {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: file('crt') },
    },
  );
  expect(stdout.trim()).toBe('over TLS');
});
