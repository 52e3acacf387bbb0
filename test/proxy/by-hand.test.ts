/** Faults that a person arms in a stream that is open: what the client then sees, and what is refused. */
import { afterEach, describe, expect, it } from 'vitest';
import type { RawExchange } from '../e2e/harness/raw-http.ts';
import { askMcp, beginSession, whole } from '../e2e/harness/raw-mcp.ts';
import {
  chunk,
  event,
  lastChunk,
  mcpScript,
  progress,
  result,
  sseHead,
} from '../e2e/harness/scripted-mcp.ts';
import { pause, type ScriptedServer, startScriptedServer } from '../e2e/harness/scripted-server.ts';
import { type Observed, profile, proxyTo } from './kit.ts';

let server: ScriptedServer;
let proxy: Observed;
let clients: RawExchange[] = [];

afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await proxy?.close();
  await server?.close();
});

/** Ten events, 30 ms apart, then the answer. */
async function start(byHand = true): Promise<string> {
  server = await startScriptedServer(
    mcpScript({
      call: ({ json }) => [
        sseHead(),
        ...Array.from({ length: 10 }, (_, n) => [chunk(event(`u${n}`, progress('t', n))), pause(30)]).flat(),
        chunk(event('u10', result(json!.id))),
        lastChunk,
      ],
    }),
  );
  proxy = await proxyTo(server.url, { profile: profile('by-hand'), byHand });
  return beginSession(proxy.port);
}

function send(
  session: string,
  request: { readonly cursor: string } | { readonly message: object },
): RawExchange {
  const exchange = askMcp({ port: proxy.port, session, ...request });
  clients.push(exchange);
  return exchange;
}

const call = (session: string, id = 1): RawExchange =>
  send(session, { message: { id, method: 'tools/call', params: { name: 'x', arguments: { id } } } });
const ids = (exchange: RawExchange): readonly number[] =>
  [
    ...exchange
      .body()
      .bytes.toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map(([, id]) => Number(id) % 1000);
const stream = (): string => proxy.of('stream-opened').at(-1)!.stream;
const into = (target: { stream: string } | { scope: string }, fault: string, params = {}) =>
  proxy.inject({ target, fault, params });

describe('into an open stream', () => {
  it('acts at the next event and is a decision with its site, made by hand', async () => {
    const session = await start();
    const first = call(session);
    await first.until(/part|progress/);
    await first.until((exchange) => ids(exchange).length >= 3);
    const injected = into({ stream: stream() }, 'drop-stream', {});
    const shown = ids(first).length;
    expect(await first.ending()).toBe('fin');
    expect(ids(first).length - shown).toBeLessThanOrEqual(2);
    expect(injected).toEqual({ ok: true, decision: expect.stringMatching(/^[0-9a-f]{8}$/) });
    const [decision] = proxy.of('decision');
    expect(decision).toMatchObject({ fault: 'drop-stream', by: 'hand', seam: 'frame' });
    expect(decision!.site).toMatch(/^upstream\/main\/s1\/tools%2Fcall\/x\/[0-9a-f]+\/1$/);
    expect(proxy.of('applied')).toMatchObject([{ decision: decision!.id, prelude: false }]);
  });

  it('acts in a stream that was resumed before as in a new one', async () => {
    const session = await start();
    const first = call(session);
    await first.until((exchange) => ids(exchange).length >= 2);
    const last = /id: (\d+)\n(?![\s\S]*id: )/.exec(first.body().bytes.toString())![1]!;
    first.close('reset');
    const second = send(session, { cursor: last });
    await second.until((exchange) => ids(exchange).length >= 2);
    expect(into({ stream: stream() }, 'stall-stream').ok).toBe(true);
    await expect.poll(() => proxy.of('end').some(({ how }) => how === 'stall')).toBe(true);
    expect(proxy.of('stream-resumed')).toHaveLength(1);
    expect(second.body().whole).toBe(false);
  });

  it('is refused where it cannot act, with the reason', async () => {
    const session = await start();
    const first = call(session);
    await first.until((exchange) => ids(exchange).length >= 1);
    const target = { stream: stream() };
    expect(into(target, 'busy')).toMatchObject({
      ok: false,
      why: expect.stringContaining('before a stream'),
    });
    expect(into(target, 'refuse-get')).toMatchObject({ ok: false, why: expect.stringContaining('POST') });
    expect(into(target, 'no-such')).toMatchObject({ ok: false, why: expect.stringContaining('no fault') });
    expect(into(target, 'drop-stream', { how: 'loud' }).ok).toBe(false);
    expect(into({ stream: 'stream-77' }, 'drop-stream').ok).toBe(false);
    expect(into(target, 'swallow-response').ok).toBe(true);
    expect(into(target, 'drop-stream')).toMatchObject({
      ok: false,
      why: 'the stream has swallow-response already',
    });
    expect(proxy.of('decision')).toHaveLength(1);
  });

  it('is refused once the stream is over', async () => {
    const session = await start();
    const first = call(session);
    await whole(first);
    expect(into({ stream: stream() }, 'drop-stream')).toEqual({ ok: false, why: 'the stream is over' });
  });
});

it('what waits for the next call of a scope strikes that call and no handshake', async () => {
  const session = await start();
  expect(into({ scope: 'main' }, 'drop-stream', { after: 1 })).toEqual({ ok: true });
  await beginSession(proxy.port);
  const first = call(session);
  expect(await first.ending()).toBe('fin');
  expect(ids(first)).toEqual([1]);
  const second = call(session, 2);
  await whole(second);
  expect(proxy.of('decision')).toMatchObject([{ fault: 'drop-stream', by: 'hand' }]);
});

it('a run that was not asked for it takes none', async () => {
  await start(false);
  expect(into({ scope: 'main' }, 'drop-stream').ok).toBe(false);
});
