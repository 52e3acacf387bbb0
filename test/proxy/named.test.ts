/** Requests that name the server they are meant for: by the preload's header, or as to a forward proxy. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { parseProfile } from '../../src/profiles/parse.ts';
import { type Observed, profile, proxyTo } from './kit.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of cleanup.splice(0)) await close();
});

interface Seen {
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** A server that answers every request with its name, and every session with the same id. */
async function server(name: string): Promise<{ readonly origin: string; readonly seen: Seen[] }> {
  const seen: Seen[] = [];
  const listening = http.createServer((request, response) => {
    seen.push({ url: request.url!, headers: request.headers });
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Mcp-Session-Id', 'the-same');
    request
      .resume()
      .on('end', () => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: { name } })));
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  cleanup.push(() => new Promise((resolve) => listening.close(resolve)));
  return { origin: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, seen };
}

async function proxy(options = {}): Promise<Observed> {
  const own = await server('own');
  const started = await proxyTo(`${own.origin}/mcp`, options);
  cleanup.push(() => started.close());
  return started;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

function ask(
  to: { readonly port: number },
  path: string,
  headers: Record<string, string>,
  message: Record<string, unknown> | undefined = { method: 'tools/list' },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = message === undefined ? 'GET' : 'POST';
    const request = http.request({ host: '127.0.0.1', port: to.port, path, method, headers, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      let body = '';
      response.on('data', (piece) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    });
    request.end(message && JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  });
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const begin = { method: 'initialize', params: { protocolVersion: '2025-11-25' } };

function via(of: Observed, to: string, scope: string): Record<string, string> {
  return { ...json, 'mcp-chaos-via': String(new URLSearchParams({ token: of.token, to, scope })) };
}

const summary = (of: Observed) =>
  of.of('request').map(({ upstream, scope, lane, path, mcp }) => [upstream, scope, lane, path, mcp]);

describe.each(['calm', 'desync'])('with the header of the preload, under %s', (name) => {
  it('goes to the server that it names, with the Host and Origin that it came with', async () => {
    const through = await proxy({ profile: profile(name), seed: 'quiet' });
    const one = await server('one');
    const headers = {
      ...via(through, one.origin, 'a test'),
      host: 'localhost:1',
      origin: 'http://elsewhere',
    };
    const { body } = await ask(through, '/deep/mcp?x=1', headers, { method: 'ping' });
    expect(JSON.parse(body).result).toEqual({ name: 'one' });
    expect(one.seen).toMatchObject([
      { url: '/deep/mcp?x=1', headers: { host: 'localhost:1', origin: 'http://elsewhere' } },
    ]);
    expect(Object.keys(one.seen[0]!.headers).filter((key) => key.includes('chaos'))).toEqual([]);
    expect(summary(through)).toEqual([['server-1', 'a test', 'c1', '/deep/mcp', true]]);
  });

  it('loses its connection where nobody listens, as it would without us', async () => {
    const through = await proxy({ profile: profile(name), seed: 'quiet' });
    const gone = await server('gone');
    await cleanup.pop()!();
    const failed = ask(through, '/mcp', via(through, gone.origin, 'a test'), begin);
    await expect(failed).rejects.toThrow(/ECONNRESET|socket hang up/);
    expect(through.of('head')).toEqual([]);
    expect(through.of('end')).toMatchObject([{ how: 'reset', by: 'upstream' }]);
  });

  it('names servers by their order inside a scope, and keeps equal session ids apart', async () => {
    const through = await proxy({ profile: profile(name), seed: 'quiet' });
    const [one, two] = [await server('one'), await server('two')];
    await ask(through, '/mcp', via(through, one.origin, 'a'), begin);
    await ask(through, '/mcp', via(through, two.origin, 'b'), begin);
    await ask(through, '/mcp', via(through, one.origin, 'b'), begin);
    // The session that a hook began, used in a test: its server keeps its name.
    const later = await ask(
      through,
      '/mcp',
      { ...via(through, two.origin, 'c'), 'mcp-session-id': 'the-same' },
      { method: 'ping' },
    );
    expect(JSON.parse(later.body).result).toEqual({ name: 'two' });
    expect(through.of('request').map(({ upstream, scope }) => [upstream, scope])).toEqual([
      ['server-1', 'a'],
      ['server-1', 'b'],
      ['server-2', 'b'],
      ['server-1', 'c'],
    ]);
    const sessions = through.of('head').map(({ session }) => session);
    expect(sessions[0]).not.toBe(sessions[1]);
    expect(sessions[3]).toBe(sessions[1]);
  });
});

describe('where the preload names our own address', () => {
  it('the test is the scope, unless the client named one', async () => {
    const through = await proxy();
    const headers = via(through, `http://127.0.0.1:${through.port}`, 'a test');
    await ask(through, '/mcp', headers, begin);
    await ask(through, '/s/by-path/mcp', headers, begin);
    await ask(through, '/mcp', { ...headers, 'mcp-chaos-scope': 'by-header' }, begin);
    expect(summary(through).map(([upstream, scope, , path]) => [upstream, scope, path])).toEqual([
      ['upstream', 'a test', '/mcp'],
      ['upstream', 'by-path', '/mcp'],
      ['upstream', 'by-header', '/mcp'],
    ]);
  });

  it('a page of a foreign origin is refused as ever', async () => {
    const through = await proxy();
    const headers = via(through, `http://127.0.0.1:${through.port}`, 'a test');
    const { status } = await ask(through, '/mcp', { ...headers, origin: 'http://evil.example' }, begin);
    expect(status).toBe(403);
  });
});

describe('a session that a hook began', () => {
  const everyCall = parseProfile(
    JSON.stringify({
      name: 'every-call',
      description: 'A fault for every call.',
      contract: 'monotonic:stream',
      rules: [{ fault: 'drop-stream', params: { after: 1 }, when: { method: 'ping' }, chance: 1 }],
    }),
    'every-call.yaml',
  );

  /** The sites of pings from these scopes, in order, all in one session. */
  async function sites(...scopes: string[]): Promise<readonly string[]> {
    const through = await proxy({ profile: everyCall });
    const one = await server('one');
    await ask(through, '/mcp', via(through, one.origin, 'file'), begin);
    for (const scope of scopes) {
      const headers = { ...via(through, one.origin, scope), 'mcp-session-id': 'the-same' };
      await ask(through, '/mcp', headers, { method: 'ping' });
    }
    return through.of('decision').map(({ site }) => decodeURIComponent(site));
  }

  it('has sites of its own in each test, which no other test moves', async () => {
    const [first, again, other] = await sites('file > a', 'file > a', 'file > b');
    expect(first).toMatch(/^server-1\/file > a\/file:s1\/ping\/\/.*\/1$/);
    expect(again).toBe(first!.replace(/1$/, '2'));
    expect(await sites('file > new', 'file > b')).toContain(other);
    expect((await sites('file'))[0]).toMatch(/^server-1\/file\/s1\//);
  });
});

it('is left untouched where the session began under a fake clock, to its end', async () => {
  const through = await proxy();
  const one = await server('one');
  const fake = via(through, one.origin, 'a');
  fake['mcp-chaos-via'] += '&fake-clock=1';
  await ask(through, '/mcp', fake, begin);
  await ask(through, '/mcp', { ...via(through, one.origin, 'a'), 'mcp-session-id': 'the-same' });
  expect(one.seen.map(({ url }) => url)).toEqual(['/mcp', '/mcp']);
  expect(
    one.seen.flatMap(({ headers }) => Object.keys(headers).filter((key) => key.includes('chaos'))),
  ).toEqual([]);
  expect(through.facts).toEqual([]);
  expect(through.untouched).toEqual(new Map([['fake-timers', 2]]));
});

it('keeps a session whose clock is stopped later', async () => {
  const through = await proxy();
  const one = await server('one');
  await ask(through, '/mcp', via(through, one.origin, 'a'), begin);
  const fake: Record<string, string> = { ...via(through, one.origin, 'a'), 'mcp-session-id': 'the-same' };
  fake['mcp-chaos-via'] += '&fake-clock=1';
  await ask(through, '/mcp', fake);
  expect(summary(through).map(([, , lane]) => lane)).toEqual(['s1', 's1']);
});

describe('is refused', () => {
  it('without the token, and no server hears of it', async () => {
    const through = await proxy();
    const one = await server('one');
    const forged = String(new URLSearchParams({ token: 'guessed', to: one.origin, scope: 'a' }));
    expect(await ask(through, '/mcp', { ...json, 'mcp-chaos-via': forged })).toMatchObject({ status: 403 });
    expect(await ask(through, `${one.origin}/mcp`, json)).toMatchObject({ status: 407 });
    expect(one.seen).toEqual([]);
  });

  it('for another machine', async () => {
    const through = await proxy();
    const { status, body } = await ask(through, '/mcp', via(through, 'http://192.0.2.1', 'a'));
    expect(status).toBe(403);
    expect(body).toContain('--allow-remote');
  });

  it('a tunnel, with the reason', async () => {
    const through = await proxy();
    const request = http.request({
      port: through.port,
      method: 'CONNECT',
      path: '127.0.0.1:443',
      agent: false,
    });
    const status = await new Promise((resolve) => {
      request.on('connect', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode);
      });
      request.end();
    });
    expect(status).toBe(405);
  });
});

describe('as a forward proxy', () => {
  const credentials = (of: Observed, scope: string) => ({
    'proxy-authorization': `Basic ${Buffer.from(`${scope}:${of.token}`).toString('base64')}`,
  });

  it('takes MCP, in the scope of the credentials', async () => {
    const through = await proxy();
    const one = await server('one');
    const { body } = await ask(
      through,
      `${one.origin}/mcp`,
      { ...json, ...credentials(through, 'py') },
      begin,
    );
    expect(JSON.parse(body).result).toEqual({ name: 'one' });
    expect(one.seen[0]!.headers['proxy-authorization']).toBeUndefined();
    expect(summary(through)).toEqual([['server-1', 'py', 's1', '/mcp', true]]);
    expect(through.untouched).toEqual(new Map());
  });

  it('forwards everything else unrecorded', async () => {
    const through = await proxy();
    const one = await server('one');
    const { status } = await ask(through, `${one.origin}/health?x=1`, credentials(through, 'py'), undefined);
    expect(status).toBe(200);
    expect(one.seen).toMatchObject([{ url: '/health?x=1', headers: { host: expect.any(String) } }]);
    expect(one.seen[0]!.headers['proxy-authorization']).toBeUndefined();
    expect(through.facts).toEqual([]);
    expect(through.untouched).toEqual(new Map([['forwarded', 1]]));
  });

  it('knows its own address, where no server is named', async () => {
    const through = await proxy();
    const { body } = await ask(through, through.url, { ...json, host: new URL(through.url).host }, begin);
    expect(JSON.parse(body).result).toEqual({ name: 'own' });
    expect(summary(through)).toEqual([['upstream', 'main', 's1', '/mcp', true]]);
  });
});
