/** Sessions, streams and cursors under a profile with rules, on raw sockets in front of a scripted upstream. */
import { afterEach, describe, expect, it } from 'vitest';
import { parseProfile } from '../../src/profiles/parse.ts';
import type { ProxyOptions } from '../../src/proxy/proxy.ts';
import { type RawExchange, rawRequest } from '../e2e/harness/raw-http.ts';
import { askMcp, beginSession, whole } from '../e2e/harness/raw-mcp.ts';
import {
  chunk,
  empty,
  end,
  event,
  jsonAnswer,
  lastChunk,
  type McpScripts,
  mcpScript,
  progress,
  result,
  sseHead,
} from '../e2e/harness/scripted-mcp.ts';
import {
  type Script,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
  write,
} from '../e2e/harness/scripted-server.ts';
import { type Observed, proxyTo } from './kit.ts';

let server: ScriptedServer;
let proxy: Observed;
let clients: RawExchange[] = [];

afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await proxy?.close();
  await server?.close();
});

const streamed: McpScripts = {
  call: ({ json }) => [
    sseHead(),
    chunk(event('u1')),
    chunk(event('u2', progress('t', 1))),
    chunk(event('u3', progress('t', 2))),
    chunk(event('u4', result(json!.id))),
    lastChunk,
  ],
};

interface Weather {
  readonly fault?: string;
  readonly params?: Record<string, unknown>;
  readonly method?: string;
  readonly contract?: string;
}

function weather({
  fault = 'drop-stream',
  params = {},
  method = 'tools/call',
  contract = 'monotonic:stream',
}: Weather): ProxyOptions['profile'] {
  const rules = [{ fault, params, when: { method }, chance: 1 }];
  return parseProfile(JSON.stringify({ name: 'x', description: 'x', contract, rules }), 'x.yaml');
}

async function start(
  scripts: McpScripts | Script,
  of: Weather = {},
  options: Partial<ProxyOptions> = {},
): Promise<string> {
  server = await startScriptedServer(typeof scripts === 'function' ? scripts : mcpScript(scripts));
  proxy = await proxyTo(server.url, { profile: weather(of), ...options });
  return beginSession(proxy.port);
}

/** Closed after the test. */
function kept(exchange: RawExchange): RawExchange {
  clients.push(exchange);
  return exchange;
}

const get = (session: string | undefined, cursor?: string): RawExchange =>
  kept(askMcp({ port: proxy.port, session, cursor }));
const call = (session: string, id = 1): RawExchange =>
  kept(
    askMcp({
      port: proxy.port,
      session,
      message: { id, method: 'tools/call', params: { name: 'x', arguments: { id } } },
    }),
  );
const text = (exchange: RawExchange): string => exchange.body().bytes.toString();

it('a stream of announced length is shown whole, though our ids make it longer', async () => {
  const answer = (id: unknown): string => `data: ${JSON.stringify(result(id))}\n\n`;
  const session = await start(
    {
      call: ({ json }: ScriptedRequest) => [
        write(
          `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${answer(json!.id).length}\r\n\r\n${answer(json!.id)}`,
        ),
      ],
    },
    // Armed elsewhere: this call is left alone.
    { method: 'prompts/get' },
  );
  const shown = call(session);
  await whole(shown);
  expect(text(shown)).toBe(`id: 1000001\n${answer(1)}`);
});

it('a stream of HTTP+SSE (2024-11-05) is not for these faults, and passes as it is', async () => {
  const first = 'event: endpoint\ndata: /messages?id=1\n\n';
  await start(
    { get: () => [sseHead(), chunk(first), chunk(event('u1', progress('t', 1))), lastChunk] },
    { method: 'GET', params: { after: 1 } },
  );
  const old = get(undefined);
  await whole(old);
  expect(text(old)).toBe(first + event('u1', progress('t', 1)));
  expect(proxy.of('decision')).toEqual([]);
});

describe('a stream that was dropped', () => {
  it('is resumed coherently under ids of our own, upstream asked once', async () => {
    const session = await start(streamed);
    const first = call(session);
    await first.ending();
    expect(text(first)).toMatch(/id: 1000001\n[\s\S]*id: 1000002\n/);
    const second = get(session, '1000002');
    await whole(second);
    expect(text(second)).toBe(event('1000003', progress('t', 2)) + event('1000004', result(1)));
    expect(server.requests.filter(({ verb }) => verb === 'GET')).toEqual([]);
    expect(proxy.of('stream-resumed')).toMatchObject([
      { attempt: 1, from: 'store', coherent: { ids: ['1000003', '1000004'], answers: true } },
    ]);
  });

  it('is resumed from our store under upstream ids too, since upstream holds it open', async () => {
    const session = await start(streamed, { contract: 'opaque' });
    await call(session).ending();
    const second = get(session, 'u2');
    await whole(second);
    expect(text(second)).toBe(event('u3', progress('t', 2)) + event('u4', result(1)));
  });

  it('is resumed again from the same place when the resumption showed nothing', async () => {
    const session = await start(streamed, { fault: 'flap-stream', params: { times: 1 } });
    await call(session).ending();
    await get(session, '1000002').ending();
    const third = get(session, '1000002');
    await whole(third);
    expect(text(third)).toContain('"id":1,"result"');
    expect(proxy.of('stream-resumed').map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('that nobody dropped is resumed by upstream, whose ids they are', async () => {
    const session = await start(
      {
        call: () => [sseHead(), chunk(event('u1')), end('fin')],
        resume: () => [sseHead(), chunk(event('u2', result(1))), lastChunk],
      },
      { contract: 'opaque', method: 'prompts/get' },
    );
    await call(session).ending();
    const second = get(session, 'u1');
    await whole(second);
    expect(text(second)).toBe(event('u2', result(1)));
    expect(server.requests.at(-1)!.headers['last-event-id']).toBe('u1');
  });

  it('by upstream itself goes on at upstream, after the id that upstream knows', async () => {
    const session = await start(
      {
        call: () => [sseHead(), chunk(event('u1')), end('fin')],
        resume: () => [sseHead(), chunk(event('u2', result(1))), lastChunk],
      },
      { method: 'prompts/get' },
    );
    await call(session).ending();
    const second = get(session, '1000001');
    await whole(second);
    expect(text(second)).toBe(event('1000002', result(1)));
    expect(server.requests.at(-1)!.headers['last-event-id']).toBe('u1');
  });
});

describe('a restarted session', () => {
  it('goes on under the id the client knows, with another one upstream', async () => {
    const session = await start(streamed, { fault: 'restart-session', params: { at: 'request' } });
    const first = call(session);
    await whole(first);
    expect(text(first)).toContain('id: 1000001\n');
    const last = server.requests.findLast(({ json }) => json?.method === 'tools/call')!;
    expect(last.headers['mcp-session-id']).not.toBe(session);
    expect(server.requests.map(({ verb, json }) => json?.method ?? verb)).toEqual([
      'initialize',
      'initialize',
      'notifications/initialized',
      'DELETE',
      'tools/call',
    ]);
    expect(proxy.of('session-restarted')).toMatchObject([{ lane: 's1', epoch: 2 }]);
  });

  it('leaves a resumption silent, and the deadline runs from that', async () => {
    const session = await start(
      {
        call: () => [sseHead(), chunk(event('u1')), chunk(event('u2', progress('t', 1))), end('stall')],
        get: () => [sseHead(), end('stall')],
      },
      { fault: 'restart-session', params: { after: 2 } },
      { deadlineMs: 200 },
    );
    await call(session).ending();
    const again = get(session, '1000002');
    await again.until('text/event-stream');
    const { exchange } = proxy.of('stream-resumed')[0]!;
    const told = proxy.of('head').find((head) => head.exchange === exchange)!.seq;
    // Once it is over: what the wait is bounded by is not what is shown here.
    await expect
      .poll(() => proxy.of('deadline-elapsed').map(({ since }) => since), { timeout: 10_000 })
      .toContain(told);
  });

  it('cannot be where upstream refuses a second initialize: nothing is touched, and the reason stands', async () => {
    let asked = 0;
    const script = mcpScript(streamed);
    const session = await start(
      (request) => {
        if (request.json?.method === 'initialize') asked += 1;
        return asked > 1 && request.json?.method === 'initialize' ? empty(400) : script(request);
      },
      { fault: 'restart-session', params: { at: 'request' } },
    );
    const exchange = call(session);
    await whole(exchange);
    expect(text(exchange)).toContain('"id":1,"result"');
    expect(proxy.of('session-restarted')).toEqual([]);
    expect(proxy.of('not-applicable')[0]?.why).toMatch(/answered 400 to a second initialize/);
  });
});

describe('what cannot be faulted is said', () => {
  it('an answer in JSON has no frames', async () => {
    const session = await start({ call: (request: ScriptedRequest) => jsonAnswer(request, { content: [] }) });
    await whole(call(session));
    expect(proxy.of('decision')).toHaveLength(1);
    expect(proxy.of('not-applicable')).toMatchObject([{ why: expect.stringContaining('application/json') }]);
    expect(proxy.of('applied')).toEqual([]);
  });
});

describe('the stand-alone stream', () => {
  const listening: McpScripts = { get: () => [sseHead(), chunk(event('g1')), end('stall')] };

  it('is one at upstream, though the client asks again after a drop', async () => {
    const session = await start(listening, { method: 'GET', params: { after: 1 } });
    await get(session).ending();
    const again = get(session);
    await again.until('text/event-stream');
    expect(server.requests.filter(({ verb }) => verb === 'GET')).toHaveLength(1);
    expect(server.connections()).toBe(1);
  });

  it('is given up at upstream once the client stays away for a deadline', async () => {
    const session = await start(listening, { method: 'prompts/get' }, { deadlineMs: 200 });
    const open = get(session);
    await open.until('id: 1\n');
    open.close();
    await expect.poll(() => server.connections(), { timeout: 10_000 }).toBe(0);
  });
});

it('the store lets go of the oldest events and says so', async () => {
  const session = await start(streamed, {}, { store: { maxEvents: 2, maxBytes: 1_000_000 } });
  await call(session).ending();
  await expect.poll(() => proxy.of('store-evicted').length).toBeGreaterThan(0);
  const second = get(session, '1000002');
  await whole(second);
  expect(text(second)).toContain('id: 1000004');
});

it('a refused session stays refused for every request that names it', async () => {
  const session = await start(streamed, { fault: 'expire-session' });
  for (const exchange of [call(session), call(session, 2), get(session)]) {
    await whole(exchange);
    expect(exchange.status()).toBe(404);
    expect(text(exchange)).toContain('Session not found');
  }
  expect(server.requests.map(({ json }) => json?.method)).toEqual(['initialize']);
});

it('a batch is one exchange with a site for each of its requests', async () => {
  const session = await start({
    other: () => [sseHead(), chunk(event('b1', result(1))), chunk(event('b2', result(2))), lastChunk],
  });
  const batch = JSON.stringify(
    [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: `t${id}` } })),
  );
  const headers = { 'mcp-session-id': session };
  await whole(kept(rawRequest({ port: proxy.port, verb: 'POST', path: '/mcp', headers, body: batch })));
  expect(proxy.of('decision')).toHaveLength(1);
  const later = call(session, 3);
  await later.until(({ status }) => status() !== 0);
  expect(proxy.of('decision').map(({ site }) => site.split('/').slice(3, 5).join(' '))).toEqual([
    'tools%2Fcall t1',
    'tools%2Fcall x',
  ]);
});

it('the revision and the session come off the wire, and their lanes are counted in each scope', async () => {
  await start(streamed);
  await call(await beginSession(proxy.port, 'another')).ending();
  expect(proxy.of('request').map(({ scope, lane }) => `${scope}/${lane}`)).toEqual([
    'main/s1',
    'another/s1',
    'main/s1',
  ]);
});

it('a foreign Host is refused before upstream hears of it', async () => {
  await start(streamed);
  const headers = { host: 'evil.example' };
  const foreign = kept(rawRequest({ port: proxy.port, verb: 'POST', path: '/mcp', headers, body: '{}' }));
  await foreign.until('refuses this request');
  expect(foreign.status()).toBe(403);
  expect(server.requests).toHaveLength(1);
});
