/** What the guard does to bytes, to pace and to cancellation while nothing is wrong: nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type GuardOptions, guardFetch } from '../../src/guard/index.ts';
import { callTool, fakeClock, listen, part, read, serve, settle, sse, url } from './scripted.ts';

async function all(response: Response): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer());
}

function chunksOf(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const at = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, i) => whole.slice(from, at[i] ?? whole.length));
}

const line = fc.oneof(
  fc.constantFrom('data: {"method":"x"}', 'data', ': comment', 'event: message', 'retry: 10', 'x: y', ''),
  fc.constantFrom('data: [1,{"a":"]"}]', 'data: é\u{1f600}', 'idx: 3'),
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[\r\n]/g, '')),
);
const lines = (extra: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(fc.oneof(line, extra), fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 25 })
    .map((parts) => parts.flat().join(''));
const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 10 });

/** No request waits, so that a body may end as it likes. */
const notification = { ...callTool(0), body: '{"jsonrpc":"2.0","method":"notifications/x"}' };

describe('bytes', () => {
  test('of a new stream pass as they came, in any chunking, under every contract', async () => {
    const body = lines(fc.constantFrom('id: 1', 'id: 1:7', 'id', 'id: \0'));
    const contract = fc.constantFrom('opaque', 'monotonic:stream', 'epoch') as fc.Arbitrary<
      GuardOptions['contract']
    >;
    await fc.assert(
      fc.asyncProperty(body, cuts, contract, async (text, places, contract) => {
        const leg = sse();
        const guarded = guardFetch(serve(leg).fetch, { contract: contract!, clock: fakeClock() });
        const response = await guarded(url, listen());
        for (const chunk of chunksOf(new TextEncoder().encode(text), places)) leg.bytes(chunk);
        leg.end();
        expect(await all(response)).toBe(text);
      }),
      { seed: 4, numRuns: 200 },
    );
  });

  test('of a coherent resume pass as they came, in any chunking', async () => {
    await fc.assert(
      fc.asyncProperty(
        lines(fc.constant('')),
        lines(fc.constantFrom('id: 1', 'id: 99')),
        cuts,
        async (before, after, places) => {
          const first = sse();
          const leg = sse();
          const guarded = guardFetch(serve(first, leg).fetch, {
            contract: 'monotonic:stream',
            clock: fakeClock(),
          });
          const opening = all(await guarded(url, listen()));
          first.send(part('7', 'x'));
          first.end();
          await opening;
          const response = await guarded(url, listen('7'));
          const text = `${before}\n\n${part('8', 'y')}${after}`;
          for (const chunk of chunksOf(new TextEncoder().encode(text), places)) leg.bytes(chunk);
          leg.end();
          expect(await all(response)).toBe(text);
        },
      ),
      { seed: 4, numRuns: 200 },
    );
  });

  test('in empty chunks stop nothing', async () => {
    const leg = sse();
    const response = await guardFetch(serve(leg).fetch)(url, listen());
    leg.bytes(new Uint8Array(0));
    leg.send(part('1', 'a'));
    leg.bytes(new Uint8Array(0));
    leg.end();
    expect(await all(response)).toBe(part('1', 'a'));
  });
});

describe('the response', () => {
  test('keeps its status, its headers and its address', async () => {
    const leg = sse({ session: 's1' });
    Object.defineProperty(leg.response, 'url', { value: `${url}?x=1` });
    const response = await guardFetch(serve(leg).fetch)(url, callTool(1));
    expect(response.status).toBe(200);
    expect(response.headers.get('mcp-session-id')).toBe('s1');
    expect(response.url).toBe(`${url}?x=1`);
  });

  test('is not read ahead of its reader', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(new TextEncoder().encode(part(String(pulled), 'x')));
        },
      },
      { highWaterMark: 0 },
    );
    const upstream = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const response = await guardFetch(async () => upstream)(url, callTool(1));
    await settle();
    expect(pulled).toBe(0);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.read();
    await settle();
    expect(pulled).toBe(2);
  });

  test('that its reader cancels is cancelled at the server, and nobody is told of a desync', async () => {
    const leg = sse();
    const clock = fakeClock();
    const told: unknown[] = [];
    const guarded = guardFetch(serve(leg).fetch, { clock, stallMs: 10, onDesync: (one) => told.push(one) });
    const response = await guarded(url, callTool(1));
    const reader = response.body!.getReader();
    leg.send(part('1', 'a'));
    await reader.read();
    await reader.cancel();
    await clock.pass(1e6);
    expect(leg.cancelled).toBe(true);
    expect(told).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test('that the client aborts fails as it would without the guard', async () => {
    const leg = sse();
    const abort = new AbortController();
    const told: unknown[] = [];
    const guarded = guardFetch(serve(leg).fetch, { clock: fakeClock(), onDesync: (one) => told.push(one) });
    const reading = read(await guarded(url, { ...callTool(1), signal: abort.signal }));
    abort.abort();
    leg.reset();
    await settle();
    expect(reading.ended).toBe('TypeError');
    expect(told).toEqual([]);
  });

  test('to a notification, and a listen stream of 2026-07-28, may end without an answer', async () => {
    const listenStream = { ...callTool(0), body: '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}' };
    for (const init of [notification, listenStream]) {
      const leg = sse();
      const told: unknown[] = [];
      const guarded = guardFetch(serve(leg).fetch, { onDesync: (one) => told.push(one) });
      const reading = read(await guarded(url, init));
      leg.end();
      await settle();
      expect(reading.raw()).toBe('');
      expect(told).toEqual([]);
    }
  });
});
