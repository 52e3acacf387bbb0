/** The instruments themselves: a raw client that could not tell a reset from a FIN would prove nothing. */
import { networkInterfaces } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { runClient } from '../../clients/run-client.ts';
import { startEverything } from './everything.ts';
import { rawRequest } from './raw-http.ts';
import { chunk, empty, event, lastChunk, mcpScript, sseHead } from './scripted-mcp.ts';
import { modernScript } from './scripted-modern.ts';
import {
  end,
  pause,
  type Script,
  type ScriptedServer,
  startScriptedServer,
  write,
} from './scripted-server.ts';

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
async function serve(script: Script): Promise<ScriptedServer> {
  server = await startScriptedServer(script);
  return server;
}

describe('raw client against scripted server', () => {
  it.each(['fin', 'reset'] as const)('sees a %s after a flushed event as what it is', async (how) => {
    // Only once the event was read: Node takes a reset that it finds together with data for a FIN.
    let readIt = (): void => {};
    const read = new Promise<void>((resolve) => {
      readIt = resolve;
    });
    const { port } = await serve(async function* () {
      yield sseHead();
      yield chunk(event('1'));
      await read;
      yield end(how);
    });
    const exchange = rawRequest({ port });
    await exchange.until('id: 1\n');
    readIt();
    expect(await exchange.ending()).toBe(how);
    expect(exchange.body()).toEqual({
      bytes: Buffer.from(event('1')),
      whole: false,
      rest: expect.anything(),
    });
  });

  it('sees a stall as an open connection, with what came before it', async () => {
    const { port } = await serve(() => [sseHead(), chunk(event('1')), end('stall')]);
    const exchange = rawRequest({ port });
    await exchange.until('id: 1\n');
    expect(await exchange.ending(50)).toBe('open');
    exchange.close();
  });

  it('sees the proper end of a chunked body, and the pieces apart', async () => {
    const { port } = await serve(() => [sseHead(), chunk('a'), pause(20), chunk('b'), lastChunk]);
    const exchange = rawRequest({ port });
    await exchange.until(({ body }) => body().whole);
    expect(exchange.body().bytes.toString()).toBe('ab');
    expect(exchange.pieces.length).toBeGreaterThan(1);
    exchange.close();
  });

  it('keeps header lines as they were sent', async () => {
    const { port } = await serve(() => [
      write('HTTP/1.1 200 OK\r\nX-Odd:  b\r\nx-odd: c\r\ncontent-length: 0\r\n\r\n'),
    ]);
    const exchange = rawRequest({ port });
    await exchange.until('\r\n\r\n');
    expect(exchange.headers().slice(0, 2)).toEqual([
      ['X-Odd', 'b'],
      ['x-odd', 'c'],
    ]);
    exchange.close();
  });

  it('serves several requests of a connection in order, with chunked bodies too', async () => {
    const { port, requests } = await serve(() => empty(202));
    const exchange = rawRequest({ port, verb: 'POST', body: '{"a":1}' });
    exchange.send('POST /x HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n');
    await exchange.until(/202[\s\S]*202/);
    expect(requests.map(({ path, body, json }) => [path, body, json])).toEqual([
      ['/', '{"a":1}', { a: 1 }],
      ['/x', 'abc', undefined],
    ]);
    exchange.close();
  });

  it.each(['fin', 'reset'] as const)('tells a script that its client has gone by %s', async (how) => {
    let noticed = false;
    const { port } = await serve(async function* (request) {
      yield sseHead();
      await request.gone;
      noticed = true;
    });
    const exchange = rawRequest({ port });
    await exchange.until('\r\n\r\n');
    exchange.close(how);
    await expect.poll(() => noticed).toBe(true);
  });

  it('says what did arrive when what a test waits for does not', async () => {
    const { port } = await serve(() => [...empty(204)]);
    const exchange = rawRequest({ port });
    await expect(exchange.until('never', 100)).rejects.toThrow(/not within 100 ms: never[\s\S]*204/);
    exchange.close();
  });

  it('speaks enough MCP for a client to open a session', async () => {
    const { url } = await serve(mcpScript());
    const response = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize' }),
    });
    expect(response.headers.get('mcp-session-id')).toBe('session-1');
    expect(await response.json()).toMatchObject({ id: 0, result: { protocolVersion: '2025-11-25' } });
  });
});

describe('upstreams', () => {
  it('server-everything listens, on loopback only', async () => {
    const { url, close } = await startEverything();
    try {
      expect((await fetch(url)).status).toBe(400);
      const elsewhere = Object.values(networkInterfaces())
        .flat()
        .find((each) => each?.family === 'IPv4' && !each.internal);
      if (elsewhere !== undefined) {
        await expect(fetch(url.replace('127.0.0.1', elsewhere.address))).rejects.toThrow('fetch failed');
      }
    } finally {
      await close();
    }
  });

  it('the scripted server of 2026-07-28 is one to the official client', async () => {
    const { url } = await serve(modernScript);
    const { said } = await runClient('official/sdk-v2.mjs', { MCP_CHAOS_URL: url, MODE: 'auto' });
    expect(said).toMatchObject({ revision: '2026-07-28', tools: 1, errors: [] });
    expect(said?.calls.map(({ ok }) => ok)).toEqual([true, true, true]);
  });
});
