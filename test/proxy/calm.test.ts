/** Under `calm` the proxy is the identity: the same bytes, heads and endings, nothing held back. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { type RawExchange, rawRequest } from '../e2e/harness/raw-http.ts';
import { chunk, empty, end, lastChunk, pause, sseHead } from '../e2e/harness/scripted-mcp.ts';
import {
  type Script,
  type ScriptedServer,
  type Step,
  startScriptedServer,
  write,
} from '../e2e/harness/scripted-server.ts';
import { type Observed, proxyTo } from './kit.ts';

let server: ScriptedServer | undefined;
let proxy: Observed | undefined;
let clients: RawExchange[] = [];

async function start(script: Script): Promise<void> {
  server = await startScriptedServer(script);
  proxy = await proxyTo(server.url);
}

/** The same request, once straight to the server and once through the proxy. */
function both(
  request: Omit<Parameters<typeof rawRequest>[0], 'port'>,
): [direct: RawExchange, relayed: RawExchange] {
  const pair: [RawExchange, RawExchange] = [
    rawRequest({ ...request, port: server!.port }),
    rawRequest({ ...request, port: proxy!.port }),
  ];
  clients.push(...pair);
  return pair;
}

afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await proxy?.close();
  await server?.close();
});

const post = {
  verb: 'POST',
  path: '/mcp',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}',
};

const corpus: readonly (readonly [string, Buffer])[] = [
  ['LF', Buffer.from('id: 1\ndata: {"a":1}\n\nid: 2\ndata: {}\n\n')],
  ['CRLF', Buffer.from('id: 1\r\ndata: {}\r\n\r\ndata: x\r\n\r\n')],
  ['CR', Buffer.from('id: 1\rdata: {}\r\rdata: x\r\r')],
  ['a BOM', Buffer.from('\uFEFFdata: x\n\n')],
  ['data of several lines', Buffer.from('data: {\ndata: "a":1}\n\n')],
  ['blocks with an id only', Buffer.from('id: 7\n\nid: 8\ndata:\n\n')],
  ['comments and unknown fields', Buffer.from(': hi\n\nfoo: bar\nData: x\n\nretry: 10\n\n')],
  ['characters of several bytes', Buffer.from('data: "日本語 🎉 é"\n\n'.repeat(3))],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('data: '), Buffer.from([0xff, 0xfe, 0x80]), Buffer.from('\n\n')]),
  ],
  ['no blank line at the end', Buffer.from('id: 1\ndata: x\n\nid: 2\ndata: y')],
  ['nothing', Buffer.alloc(0)],
];

describe('an event stream', () => {
  it.each(corpus)('with %s arrives byte for byte, and stands so in the journal', async (_name, bytes) => {
    await start(() => [sseHead(), ...(bytes.length > 0 ? [chunk(bytes)] : []), lastChunk]);
    const [direct, relayed] = both(post);
    await Promise.all([direct, relayed].map((exchange) => exchange.until(({ body }) => body().whole)));
    expect(relayed.body().bytes.equals(bytes)).toBe(true);
    expect(relayed.body().bytes.equals(direct.body().bytes)).toBe(true);
    expect(proxy!.shown(1).equals(bytes)).toBe(true);
  });

  it('arrives byte for byte however it was cut', async () => {
    const whole = Buffer.concat(corpus.map(([, bytes]) => bytes));
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: whole.length - 1 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(cuts, async (places) => {
        const edges = [0, ...[...places].sort((a, b) => a - b), whole.length];
        const pieces = edges.slice(1).map((edge, i) => whole.subarray(edges[i], edge));
        await start(() => [sseHead(), ...pieces.map(chunk), lastChunk]);
        const [, relayed] = both(post);
        await relayed.until(({ body }) => body().whole);
        expect(relayed.body().bytes.equals(whole)).toBe(true);
        expect(proxy!.shown(1).equals(whole)).toBe(true);
        await proxy!.close();
        await server!.close();
      }),
      { seed: 42, numRuns: 25 },
    );
  });

  it('of one 5 MB event arrives whole', async () => {
    const bytes = Buffer.from(`data: "${'x'.repeat(5_000_000)}"\n\n`);
    await start(() => [sseHead(), chunk(bytes), lastChunk]);
    const [, relayed] = both(post);
    await relayed.until(({ body }) => body().whole, 20_000);
    expect(relayed.body().bytes.equals(bytes)).toBe(true);
  });

  it('is not held back: the head before any event, an event before the next', async () => {
    await start(async function* (): AsyncGenerator<Step> {
      yield sseHead();
      yield pause(150);
      yield chunk('data: 1\n\n');
      yield end('stall');
    });
    const [, relayed] = both(post);
    await relayed.until('text/event-stream');
    expect(relayed.body().bytes.length).toBe(0);
    await relayed.until('data: 1');
  });

  it('without its blank line is shown at once, for whatever it may be', async () => {
    await start(() => [sseHead(), chunk('data: half'), end('stall')]);
    const [, relayed] = both(post);
    await relayed.until('data: half');
  });
});

describe('heads', () => {
  it('keep case, order, duplicates, reason phrase and length', async () => {
    await start(() => [
      write(
        'HTTP/1.1 207 Quite So\r\nX-One: 1\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nX-one: 2\r\nContent-Length: 2\r\n\r\nok',
      ),
    ]);
    const [direct, relayed] = both({ path: '/other' });
    await Promise.all([direct.until('ok'), relayed.until('ok')]);
    expect(relayed.bytes().toString()).toMatch(/^HTTP\/1\.1 207 Quite So\r\n/);
    const own = (exchange: RawExchange) =>
      exchange.headers().filter(([name]) => !/^(connection|keep-alive)$/i.test(name));
    expect(own(relayed)).toEqual(own(direct));
  });

  it.each([202, 204, 404, 405])('of %i without a body end the exchange', async (status) => {
    await start(() => empty(status));
    const [, relayed] = both(post);
    await relayed.until(({ body }) => body().whole);
    expect(relayed.status()).toBe(status);
  });

  it('upstream sees the method, the path, the query and its own Host', async () => {
    await start(() => empty(202));
    const [, relayed] = both({ ...post, path: '/mcp?a=1', headers: { ...post.headers, 'X-Mine': 'yes' } });
    await relayed.until(' 202');
    const seen = server!.requests.at(-1)!;
    expect([seen.verb, seen.path, seen.headers.host, seen.headers['x-mine'], seen.body]).toEqual([
      'POST',
      '/mcp?a=1',
      `127.0.0.1:${server!.port}`,
      'yes',
      post.body,
    ]);
  });
});

describe('endings', () => {
  it('an upstream that breaks off in mid-body leaves a body that is not complete', async () => {
    await start(() => [sseHead(), chunk('data: 1\n\n'), end('fin')]);
    const [, relayed] = both(post);
    expect(await relayed.ending()).toBe('fin');
    expect(relayed.body()).toMatchObject({ whole: false });
    expect(relayed.body().bytes.toString()).toBe('data: 1\n\n');
    expect(proxy!.of('end')).toMatchObject([{ side: 'both', how: 'fin', by: 'upstream' }]);
  });

  it('a client that goes is gone for upstream, a hundred times', async () => {
    await start(() => [sseHead(), chunk('data: 1\n\n'), end('stall')]);
    const exchanges = Array.from({ length: 100 }, () => rawRequest({ ...post, port: proxy!.port }));
    await Promise.all(exchanges.map((exchange) => exchange.until('data: 1')));
    for (const exchange of exchanges) exchange.close('reset');
    // An upper bound only for a machine that is stuck: closing takes milliseconds.
    await expect.poll(() => server!.connections(), { timeout: 10_000 }).toBe(0);
    expect(proxy!.of('end').filter((fact) => fact.by === 'client')).toHaveLength(100);
  });

  it('a client that goes before the head is gone for upstream too', async () => {
    await start(() => [end('stall')]);
    const [, relayed] = both(post);
    await expect.poll(() => server!.requests.length).toBe(2);
    relayed.close('reset');
    await expect.poll(() => server!.connections(), { timeout: 10_000 }).toBe(1);
    expect(proxy!.of('head')).toEqual([]);
  });

  it('an upstream that is not there is a 502 that says so', async () => {
    await start(() => empty(202));
    await server!.close();
    const relayed = rawRequest({ ...post, port: proxy!.port });
    clients.push(relayed);
    await relayed.until('upstream did not answer');
    expect(relayed.status()).toBe(502);
  });
});

it('a slow reader slows upstream down instead of filling memory', async () => {
  let written = 0;
  await start(async function* (): AsyncGenerator<Step> {
    yield sseHead();
    const piece = Buffer.alloc(64 * 1024, 'x');
    for (let i = 0; i < 2000; i += 1) {
      yield chunk(piece);
      written += piece.length;
    }
    yield lastChunk;
  });
  const { connect } = await import('node:net');
  const socket = connect(proxy!.port, '127.0.0.1');
  socket.write(
    `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:${proxy!.port}\r\ncontent-type: application/json\r\ncontent-length: ${post.body.length}\r\n\r\n${post.body}`,
  );
  socket.pause();
  let last = -1;
  // Kernel buffers take a few megabytes; after that nothing may move while nobody reads.
  await expect
    .poll(
      () => {
        const settled = written === last;
        last = written;
        return settled && written > 0;
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBe(true);
  expect(written).toBeLessThan(64 * 1024 * 2000);
  socket.destroy();
});
