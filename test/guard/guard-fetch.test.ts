import { describe, expect, test } from 'vitest';
import { type Desync, desyncErrorCode, type GuardOptions, guardFetch } from '../../src/guard/index.ts';
import {
  answer,
  callTool,
  fakeClock,
  frame,
  listen,
  part,
  plain,
  read,
  serve,
  settle,
  sse,
  url,
} from './scripted.ts';

/** A guard over a scripted server: a call whose stream broke after `ids`, to be resumed by the test. */
function guarded(options: Partial<GuardOptions> = {}, ...script: Parameters<typeof serve>) {
  const server = serve(...script);
  const clock = fakeClock();
  const desyncs: Desync[] = [];
  const fetch = guardFetch(server.fetch, {
    contract: 'monotonic:stream',
    clock,
    onDesync: (desync) => desyncs.push(desync),
    ...options,
  });
  /** A resumption that the server answers with a stream, and what the client reads of it. */
  const resume = async (cursor?: string) => {
    const leg = sse();
    server.add(leg);
    return { leg, reading: read(await fetch(url, listen(cursor))) };
  };
  return { server, clock, desyncs, fetch, resume };
}

/** A call that was shown these ids and then lost its connection. */
async function brokenCall(
  ids: readonly string[],
  options: Partial<GuardOptions> = {},
  how: 'end' | 'reset' = 'end',
) {
  const first = sse();
  const guard = guarded(options, first);
  const call = read(await guard.fetch(url, callTool(7)));
  first.send(...ids.map((id) => part(id, `part ${id}`)));
  await settle();
  first[how]();
  await settle();
  return { ...guard, call };
}

const cursorOf = (seen: { headers: Headers } | undefined) => seen?.headers.get('last-event-id') ?? null;

describe('a healthy stream', () => {
  test('passes byte for byte, and nobody is told anything', async () => {
    const leg = sse();
    const { fetch, desyncs } = guarded({}, leg);
    const reading = read(await fetch(url, callTool(7)));
    const frames = [
      ': hi\n\n',
      'retry: 10\nid: 1\ndata:\n\n',
      part('2', 'é'),
      part(undefined, 'x'),
      answer('3', 7),
    ];
    leg.send(...frames);
    await settle();
    leg.end();
    await settle();
    expect(reading.raw()).toBe(frames.join(''));
    expect(reading.ended).toBe('complete');
    expect(desyncs).toEqual([]);
  });

  test('what is not MCP is passed on as it came', async () => {
    const seen: unknown[] = [];
    const fetch = guardFetch(async (...call) => {
      seen.push(call);
      return plain(404);
    });
    const body = new URLSearchParams({ grant_type: 'refresh_token' });
    const init = { method: 'POST', body };
    await fetch('https://auth.test/token', init);
    await fetch('https://auth.test/.well-known/oauth-protected-resource');
    await fetch(new URL('https://auth.test/x'), { method: 'HEAD' });
    expect(seen).toEqual([
      ['https://auth.test/token', init],
      ['https://auth.test/.well-known/oauth-protected-resource', undefined],
      [new URL('https://auth.test/x'), { method: 'HEAD' }],
    ]);
  });

  test('JSON answers, 202 to notifications and a GET that is not offered pass untouched', async () => {
    const json = plain(200, { 'content-type': 'application/json' }, '{"jsonrpc":"2.0","id":7,"result":{}}');
    const { fetch, desyncs } = guarded({}, json, plain(202), plain(405));
    expect(await (await fetch(url, callTool(7))).json()).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    const notification = { ...callTool(8), body: '{"jsonrpc":"2.0","method":"notifications/initialized"}' };
    expect((await fetch(url, notification)).status).toBe(202);
    expect((await fetch(url, listen())).status).toBe(405);
    await settle();
    expect(desyncs).toEqual([]);
  });

  test.each(['end', 'reset'] as const)('a coherent resume after a clean %s raises no alarm', async (how) => {
    const { server, desyncs, clock, resume } = await brokenCall(['1', '2'], {}, how);
    const { leg, reading } = await resume('2');
    leg.send(part('3', 'three'), answer('4', 7));
    leg.end();
    await clock.pass(1e6);
    expect(reading.raw()).toBe(part('3', 'three') + answer('4', 7));
    expect(cursorOf(server.seen[1])).toBe('2');
    expect(desyncs).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test('a client that resumes after an earlier event than the last one is given what it did not read', async () => {
    const { server, desyncs, resume } = await brokenCall(['1', '2', '3']);
    const { leg, reading } = await resume('1');
    const again = [part('2', 'part 2'), part('3', 'part 3'), answer('4', 7)];
    leg.send(...again);
    await settle();
    expect(cursorOf(server.seen[1])).toBe('1');
    expect(reading.raw()).toBe(again.join(''));
    expect(desyncs).toEqual([]);
  });

  test('a stream whose answer has passed may end or break as it likes', async () => {
    const leg = sse();
    const { fetch, desyncs } = guarded({}, leg);
    const reading = read(await fetch(url, callTool(7)));
    leg.send(answer(undefined, 7));
    await settle();
    leg.reset();
    await settle();
    expect(reading.messages).toHaveLength(1);
    expect(reading.ended).toBe('TypeError');
    expect(desyncs).toEqual([]);
  });

  test('a client that resumes while it still reads the stream is done with the older connection', async () => {
    const first = sse();
    const leg = sse();
    const { fetch, desyncs } = guarded({}, first, leg);
    const older = read(await fetch(url, callTool(7)));
    first.send(part('1', 'a'));
    await settle();
    const newer = read(await fetch(url, listen('1')));
    leg.send(part('2', 'b'), answer('3', 7));
    await settle();
    expect(older.ended).toBe('complete');
    expect(first.cancelled).toBe(true);
    expect(newer.messages).toHaveLength(2);
    expect(desyncs).toEqual([]);
  });

  test('a request that the client cancelled is nobody’s concern', async () => {
    const leg = sse();
    const { fetch, desyncs, clock } = guarded({}, leg, plain(202));
    read(await fetch(url, callTool(7)));
    const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}';
    await fetch(url, { ...callTool(8), body: cancelled });
    leg.end();
    await clock.pass(1e6);
    expect(desyncs).toEqual([]);
  });
});

describe('the first frame after a resume', () => {
  const cases: [string, string, string, string][] = [
    ['monotonic:stream', '8412', '17', 'regression'],
    ['monotonic:stream', '8412', '8414', 'gap'],
    ['monotonic:session', '8412', '17', 'regression'],
    ['epoch', '1:8412', '2:17', 'other-epoch'],
    ['epoch', '1:8412', '2:8413', 'other-epoch'],
    ['epoch', '1:8412', '1:17', 'regression'],
    ['monotonic:stream', '9007199254740992', '9007199254740992000', 'gap'],
    ['monotonic:stream', '2147483647', '-2147483648', 'regression'],
    ['monotonic:stream', '18446744073709551615', '0', 'regression'],
  ];
  test.each(cases)(
    '%s: %s then %s is found as %s, and the call fails at once',
    async (contract, last, first, cause) => {
      const { desyncs, resume } = await brokenCall([last], { contract } as GuardOptions);
      const { leg, reading } = await resume(last);
      leg.send(part(first, 'of another incarnation'));
      await settle();
      expect(reading.raw()).not.toContain('of another incarnation');
      expect(reading.messages).toEqual([
        {
          jsonrpc: '2.0',
          id: 7,
          error: {
            code: desyncErrorCode,
            message: expect.stringContaining(cause),
            data: {
              source: 'mcp-chaos/guard',
              cause,
              lastSeenId: last,
              firstReplayedId: first,
              request: { id: 7, method: 'tools/call', tool: 'count' },
              sessionEnded: true,
            },
          },
        },
      ]);
      expect(reading.ended).toBe('complete');
      expect(leg.cancelled).toBe(true);
      expect(desyncs).toMatchObject([
        {
          cause,
          url,
          sessionId: 's1',
          sessionEnded: true,
          lastSeenId: last,
          firstReplayedId: first,
          checkpoint: { lastEventId: last },
          error: { name: 'StreamEpochDesyncError', signature: cause },
          requests: [{ id: 7, method: 'tools/call', params: { name: 'count', arguments: { n: 3 } } }],
        },
      ]);
    },
  );

  const healthy: [string, string, string][] = [
    ['monotonic:stream', '2147483647', '2147483648'],
    ['monotonic:stream', '9007199254740991', '9007199254740992'],
    ['monotonic:stream', '9007199254740992', '9007199254740993'],
    ['monotonic:stream', '99999999999999999999', '100000000000000000000'],
    ['monotonic:stream', '0009', '0010'],
    ['monotonic:stream', '-1', '0'],
    ['monotonic:session', '8412', '8500'],
    ['epoch', 'run-2:9', 'run-2:10'],
    ['opaque', '8412', '17'],
    ['opaque', 'b', 'a'],
    ['opaque', 'é', 'ü'],
    ['monotonic:stream', '5', 'not-a-number'],
  ];
  test.each(healthy)('%s: %s then %s raises no alarm', async (contract, last, first) => {
    const { desyncs, resume } = await brokenCall([last], { contract } as GuardOptions);
    const { leg, reading } = await resume(last);
    leg.send(part(first, 'on'), answer(undefined, 7));
    await settle();
    expect(reading.raw()).toBe(part(first, 'on') + answer(undefined, 7));
    expect(desyncs).toEqual([]);
  });

  test('is found in any chunking, before a byte of it reaches the client', async () => {
    const { desyncs, resume } = await brokenCall(['8412']);
    const { leg, reading } = await resume('8412');
    for (const byte of new TextEncoder().encode(`: hi\n\n${part('17', 'bad')}`))
      leg.bytes(Uint8Array.of(byte));
    await settle();
    expect(reading.raw().startsWith(': hi\n\nevent: message\nid: mcp-chaos-guard:')).toBe(true);
    expect(reading.raw()).not.toContain('bad');
    expect(desyncs).toHaveLength(1);
  });

  test('passes as soon as its id is known, long before it is whole', async () => {
    const { resume } = await brokenCall(['1']);
    const { leg, reading } = await resume('1');
    leg.send('id: 2\ndata: {"jsonrpc"');
    await settle();
    expect(reading.raw()).toBe('id: 2\ndata: {"jsonrpc"');
  });

  test('without an id passes, and the next one is judged', async () => {
    const { desyncs, resume } = await brokenCall(['8412']);
    const { leg, reading } = await resume('8412');
    leg.send(part(undefined, 'no id'), part('17', 'bad'));
    await settle();
    expect(reading.raw()).toContain('no id');
    expect(desyncs).toMatchObject([{ cause: 'regression' }]);
  });

  test('two streams that share one counter have gaps, and no alarm', async () => {
    const one = sse();
    const two = sse();
    const { fetch, server, desyncs } = guarded({ contract: 'monotonic:session' }, one, two);
    read(await fetch(url, callTool(7)));
    read(await fetch(url, callTool(8)));
    one.send(part('1', 'a'), part('4', 'b'));
    two.send(part('2', 'a'), part('3', 'b'));
    await settle();
    one.end();
    two.end();
    await settle();
    const again = [sse(), sse()] as const;
    server.add(...again);
    read(await fetch(url, listen('4')));
    read(await fetch(url, listen('3')));
    again[0].send(part('7', 'c'), answer('9', 7));
    again[1].send(part('6', 'c'), answer('8', 8));
    await settle();
    expect(desyncs).toEqual([]);
  });
});

describe('an event at or below the last one', () => {
  test('with the same content is a duplicate: the client never sees it', async () => {
    const { desyncs, resume } = await brokenCall(['1', '2']);
    const { leg, reading } = await resume('2');
    leg.send(part('1', 'part 1'), part('2', 'part 2'), part('3', 'three'), answer('4', 7));
    await settle();
    expect(reading.raw()).toBe(part('3', 'three') + answer('4', 7));
    expect(desyncs).toEqual([]);
  });

  test('with other content is a divergence, although its id is known', async () => {
    const { desyncs, resume } = await brokenCall(['1', '2']);
    const { leg, reading } = await resume('2');
    leg.send(part('2', 'not part 2'));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'divergence' } } }]);
    expect(reading.raw()).not.toContain('not part 2');
    expect(desyncs).toMatchObject([{ cause: 'divergence', error: { name: 'SSEStreamDivergenceError' } }]);
  });

  test('is told apart under opaque ids as well', async () => {
    const { desyncs, resume } = await brokenCall(['b', 'a'], { contract: 'opaque' });
    const { leg, reading } = await resume('a');
    leg.send(part('a', 'part a'), part('c', 'next'));
    await settle();
    expect(reading.raw()).toBe(part('c', 'next'));
    expect(desyncs).toEqual([]);
    leg.end();
    await settle();
    const { leg: other } = await resume('c');
    other.send(part('b', 'not part b'));
    await settle();
    expect(desyncs).toMatchObject([{ cause: 'divergence' }]);
  });

  test('is another incarnation’s after a duplicate too', async () => {
    const { desyncs, resume } = await brokenCall(['1', '2']);
    const { leg } = await resume('2');
    leg.send(part('2', 'part 2'), part('9', 'gap'));
    await settle();
    expect(desyncs).toMatchObject([{ cause: 'gap', lastSeenId: '2', firstReplayedId: '9' }]);
  });

  test('of another stream is foreign, where ids are opaque', async () => {
    const one = sse();
    const two = sse();
    const { fetch, desyncs, resume } = guarded({ contract: 'opaque' }, one, two);
    read(await fetch(url, callTool(7)));
    read(await fetch(url, callTool(8)));
    one.send(part('one-a', 'x'));
    two.send(part('two-a', 'y'));
    await settle();
    one.end();
    await settle();
    const { leg } = await resume('one-a');
    leg.send(part('two-a', 'y'));
    await settle();
    expect(desyncs).toMatchObject([{ cause: 'foreign-event' }]);
    expect(desyncs[0]?.requests.map(({ id }) => id).sort()).toEqual([7, 8]);
  });

  test('an answer to another stream’s request is foreign on a resumed stream', async () => {
    const one = sse();
    const two = sse();
    const { fetch, desyncs, resume } = guarded({ contract: 'opaque' }, one, two);
    read(await fetch(url, callTool(7)));
    const second = read(await fetch(url, callTool(8)));
    one.send(part('a', 'x'));
    await settle();
    one.end();
    await settle();
    const { leg, reading } = await resume('a');
    leg.send(part('b', 'mine'), answer('c', 8, 'not mine'));
    await settle();
    expect(desyncs).toMatchObject([{ cause: 'foreign-event' }]);
    expect(reading.raw()).not.toContain('not mine');
    expect(reading.messages).toMatchObject([{ method: 'notifications/progress' }, { id: 7, error: {} }]);
    expect(second.messages).toMatchObject([{ id: 8, error: {} }]);
  });
});

describe('the cursor', () => {
  test('is put back where the client lost it in an empty leg, also beside GETs that came to nothing', async () => {
    const { fetch, server, desyncs } = await brokenCall(['1', '2']);
    server.add(plain(405), new TypeError('fetch failed'));
    await fetch(url, listen());
    await expect(fetch(url, listen())).rejects.toThrow();
    server.seen.splice(1);
    const empty = sse();
    const leg = sse();
    server.add(empty, leg);
    read(await fetch(url, listen('2')));
    empty.end();
    await settle();
    const reading = read(await fetch(url, listen()));
    leg.send(part('3', 'on'), answer('4', 7));
    await settle();
    expect(server.seen.map(cursorOf)).toEqual([null, '2', '2']);
    expect(reading.raw()).toBe(part('3', 'on') + answer('4', 7));
    expect(desyncs).toEqual([]);
  });

  test('is not put on a first stand-alone GET while calls are open', async () => {
    const call = sse();
    const { fetch, server } = guarded({}, call, sse());
    read(await fetch(url, callTool(7)));
    call.send(part('1', 'a'));
    await settle();
    await fetch(url, listen());
    expect(server.seen.map(cursorOf)).toEqual([null, null]);
  });

  test('of two streams that lost it, the one that broke first gets it first', async () => {
    const legs = [sse(), sse(), sse(), sse(), sse(), sse()] as const;
    const { fetch, server, clock } = guarded({ contract: 'monotonic:session' }, ...legs);
    read(await fetch(url, callTool(7)));
    read(await fetch(url, callTool(8)));
    legs[0].send(part('10', 'a'));
    legs[1].send(part('20', 'a'));
    await settle();
    legs[0].end();
    legs[1].end();
    await settle();
    read(await fetch(url, listen('10')));
    read(await fetch(url, listen('20')));
    legs[2].end();
    await clock.pass(5);
    legs[3].end();
    await clock.pass(5);
    await fetch(url, listen());
    await fetch(url, listen());
    expect(server.seen.slice(2).map(cursorOf)).toEqual(['10', '20', '10', '20']);
  });

  test('is not kept from its stream by a stand-alone GET that is on its way', async () => {
    const { fetch, server } = await brokenCall(['1']);
    const empty = sse();
    server.add(empty, new Promise<Response>(() => {}), sse());
    read(await fetch(url, listen('1')));
    void fetch(url, listen());
    await settle();
    empty.end();
    await settle();
    await fetch(url, listen());
    expect(server.seen.slice(1).map(cursorOf)).toEqual(['1', null, '1']);
  });

  test('is never that of a half-delivered event', async () => {
    const first = sse();
    const { fetch, server } = guarded({}, first, sse());
    read(await fetch(url, callTool(7)));
    first.send(part('1', 'a'), 'id: 2\ndata: {"half');
    await settle();
    first.reset();
    await settle();
    await fetch(url, listen('2'));
    expect(cursorOf(server.seen[1])).toBe('1');
  });

  test('moves with a block that has an id and nothing else', async () => {
    const first = sse();
    const { fetch, desyncs, resume } = guarded({}, first);
    read(await fetch(url, callTool(7)));
    first.send('id: 1\n\n');
    await settle();
    first.end();
    await settle();
    const { leg } = await resume();
    leg.send(part('2', 'on'));
    await settle();
    expect(desyncs).toEqual([]);
  });

  test('is taken back by an empty id, which the official SDKs overlook', async () => {
    const stream = sse();
    const { fetch, server } = guarded({}, stream, sse());
    read(await fetch(url, listen()));
    stream.send(part('1', 'a'), 'id:\ndata: {}\n\n');
    await settle();
    stream.end();
    await settle();
    await fetch(url, listen('1'));
    expect(cursorOf(server.seen[1])).toBeNull();
  });

  test('that nobody here ever saw is the host’s own and is judged by', async () => {
    const leg = sse();
    const { fetch, server, desyncs } = guarded({}, leg);
    read(await fetch(url, listen('8412')));
    leg.send(part('17', 'bad'));
    await settle();
    expect(cursorOf(server.seen[0])).toBe('8412');
    expect(desyncs).toMatchObject([{ cause: 'regression', requests: [], checkpoint: undefined }]);
  });

  test('in Latin-1 or in UTF-8 is the same cursor', async () => {
    for (const presented of ['é', 'Ã©']) {
      const { fetch, server } = await brokenCall(['é'], { contract: 'opaque' });
      server.add(sse());
      await fetch(url, listen(presented));
      expect(cursorOf(server.seen[1])).toBe(presented);
    }
  });
});

describe('a stream that ends without its answer', () => {
  test.each(['end', 'reset'] as const)('and without an id fails its request at once (%s)', async (how) => {
    const leg = sse();
    const { fetch, server, desyncs } = guarded({}, leg, sse());
    const reading = read(await fetch(url, callTool(7)));
    leg.send(part(undefined, 'one'));
    await settle();
    leg[how]();
    await settle();
    expect(reading.messages).toMatchObject([
      { method: 'notifications/progress' },
      { id: 7, error: { data: { cause: 'cut-off', sessionEnded: false, lastSeenId: null } } },
    ]);
    expect(reading.ended).toBe('complete');
    expect(desyncs).toMatchObject([{ cause: 'cut-off', sessionEnded: false, requests: [{ id: 7 }] }]);
    // The session lives, and the server need not work on for nobody.
    expect(server.cancelled).toEqual([7]);
    await fetch(url, callTool(8));
    expect(server.seen).toHaveLength(2);
  });

  test.each([
    ['in a line of data', 'id: 9\ndata: {"half'],
    ['after a whole line of data', 'data: {"jsonrpc":"2.0","id":7,"result":{}}\n'],
    ['in a name', 'da'],
  ])('after half an event (%s) gives the client the error and not the half', async (_, half) => {
    const leg = sse();
    const { fetch } = guarded({}, leg);
    const reading = read(await fetch(url, callTool(7)));
    leg.send(half);
    await settle();
    leg.reset();
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'cut-off' } } }]);
  });

  test('an initialize that is cut off is not cancelled', async () => {
    const leg = sse({ session: 's1' });
    const { fetch, server } = guarded({}, leg);
    const body = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';
    const reading = read(await fetch(url, { ...callTool(0, undefined), body }));
    leg.end();
    await settle();
    expect(reading.messages).toMatchObject([{ id: 0, error: { data: { cause: 'cut-off' } } }]);
    expect(server.cancelled).toEqual([]);
  });

  test('fails every request of a batch that is still open', async () => {
    const leg = sse();
    const { fetch } = guarded({}, leg);
    const batch = [1, 2, 3].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }));
    const reading = read(await fetch(url, { ...callTool(0), body: JSON.stringify(batch) }));
    leg.send(`data: ${JSON.stringify([{ jsonrpc: '2.0', id: 2, result: {} }])}\n\n`);
    await settle();
    leg.end();
    await settle();
    expect(reading.messages.slice(1).map(({ id }) => id)).toEqual([1, 3]);
  });

  test('an answer in 202 or 204 is none', async () => {
    for (const status of [202, 204]) {
      const { fetch, desyncs } = guarded({}, plain(status));
      const response = await fetch(url, callTool('x'));
      expect(await response.json()).toMatchObject({ id: 'x', error: { data: { cause: 'no-answer' } } });
      await settle();
      expect(desyncs).toMatchObject([{ cause: 'no-answer', sessionEnded: false }]);
    }
  });

  test('a resume of the errors that the guard invented ends here', async () => {
    const leg = sse();
    const { fetch, server } = guarded({}, leg);
    const reading = read(await fetch(url, callTool(7)));
    leg.end();
    await settle();
    const response = await fetch(url, listen(reading.ids.at(-1)));
    expect(response.status).toBe(405);
    expect(server.seen).toHaveLength(1);
  });
});

describe('a session that is over', () => {
  test('fails every open request on its own stream, and what comes later is refused', async () => {
    const legs = [sse(), sse(), sse()] as const;
    const { fetch, server, desyncs, resume } = guarded({}, legs[0], legs[1]);
    const standing = read(await fetch(url, listen()));
    const other = read(await fetch(url, callTool(8)));
    server.add(legs[2]);
    read(await fetch(url, callTool(7)));
    legs[2].send(part('1', 'a'));
    legs[1].send('id: 51\ndata: {"hal');
    await settle();
    legs[2].end();
    await settle();
    const { leg: bad, reading: resumed } = await resume('1');
    bad.send(part('9', 'gap'));
    await settle();
    const messages = [...standing.messages, ...other.messages, ...resumed.messages];
    expect(messages.map(({ id }) => id).sort()).toEqual([7, 8]);
    for (const reading of [standing, other, resumed]) expect(reading.ended).toBe('complete');
    expect(legs[0].cancelled && legs[1].cancelled).toBe(true);
    expect(desyncs).toHaveLength(1);
    expect(desyncs[0]?.requests.map(({ id }) => id).sort()).toEqual([7, 8]);

    const refused = await fetch(url, callTool(9));
    expect(refused.status).toBe(404);
    expect(await refused.json()).toMatchObject({
      id: 9,
      error: {
        code: desyncErrorCode,
        message: expect.stringMatching(/this session ended \(gap: .*\); initialise a new one/),
        data: { sessionEnded: true, request: { id: 9 } },
      },
    });
    expect((await fetch(url, listen('1'))).status).toBe(404);
    expect(server.seen).toHaveLength(4);
    expect(desyncs).toHaveLength(1);
  });

  test('a call that waits between two legs fails on another stream of its session', async () => {
    const { fetch, server, desyncs } = await brokenCall(['1']);
    const other = sse();
    server.add(other, plain(404));
    const carrier = read(await fetch(url, callTool(8)));
    await fetch(url, callTool(9));
    await settle();
    expect(carrier.messages.map(({ id, error }) => [id, error?.data.cause])).toEqual([
      [8, 'session-lost'],
      [7, 'session-lost'],
    ]);
    expect(desyncs[0]?.requests.map(({ id }) => id)).toEqual([9, 7, 8]);
  });

  test('a resume that waits for its retry time is not sent any more', async () => {
    const first = sse();
    const { fetch, server, clock } = guarded({}, first);
    read(await fetch(url, callTool(7)));
    first.send('retry: 500\n', part('1', 'a'));
    await settle();
    first.end();
    await settle();
    const waiting = fetch(url, listen('1'));
    await clock.pass(100);
    server.add(plain(404));
    await fetch(url, callTool(8));
    const reading = read(await waiting);
    await clock.pass(1000);
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'session-lost' } } }]);
    expect(server.seen.map(({ verb }) => verb)).toEqual(['POST', 'POST']);
  });

  test('requests whose response has not begun fail at once too', async () => {
    let late!: (response: Response) => void;
    const slow = new Promise<Response>((resolve) => {
      late = resolve;
    });
    const { fetch, server, resume } = await brokenCall(['1']);
    server.add(slow);
    const waiting = fetch(url, callTool(8));
    const { leg: bad } = await resume('1');
    bad.send(part('9', 'gap'));
    expect(await (await waiting).json()).toMatchObject({ id: 8, error: { data: { cause: 'gap' } } });
    const body = sse();
    late(body.response);
    await settle();
    expect(body.cancelled).toBe(true);
  });

  test('a new initialize is let through, without the old id, and begins a new session', async () => {
    const { fetch, server, resume } = await brokenCall(['1']);
    const { leg: bad } = await resume('1');
    bad.send(part('9', 'gap'));
    await settle();
    const initialize = { ...callTool(0), body: '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}' };
    // A server that recycles its session ids.
    server.add(plain(200, { 'mcp-session-id': 's1', 'content-type': 'application/json' }, '{}'), sse());
    expect((await fetch(url, initialize)).status).toBe(200);
    expect(server.seen.at(-1)?.headers.get('mcp-session-id')).toBeNull();
    await fetch(url, callTool(1));
    expect(server.seen).toHaveLength(4);
  });

  test('may still be deleted by its host', async () => {
    const { fetch, server, resume } = await brokenCall(['1']);
    const { leg: bad } = await resume('1');
    bad.send(part('9', 'gap'));
    await settle();
    server.add(plain(200));
    expect((await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': 's1' } })).status).toBe(200);
  });

  test('404 to a call passes, and everything else that waits fails', async () => {
    const leg = sse();
    const { fetch, desyncs } = guarded({}, leg, plain(404, {}, 'Session not found'));
    const reading = read(await fetch(url, callTool(7)));
    const lost = await fetch(url, callTool(8));
    expect([lost.status, await lost.text()]).toEqual([404, 'Session not found']);
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'session-lost' } } }]);
    expect(desyncs).toMatchObject([
      { cause: 'session-lost', sessionEnded: true, requests: [{ id: 8 }, { id: 7 }] },
    ]);
  });

  test('404 to a resume is answered with the error of the call that waited for it', async () => {
    const { fetch, server, desyncs } = await brokenCall(['1']);
    server.add(plain(404));
    const reading = read(await fetch(url, listen('1')));
    await settle();
    expect(reading.messages).toMatchObject([
      { id: 7, error: { data: { cause: 'session-lost', lastSeenId: '1' } } },
    ]);
    expect(desyncs).toMatchObject([{ cause: 'session-lost' }]);
  });

  test('404 where no session was ever given means nothing', async () => {
    const { fetch, desyncs } = guarded({}, plain(404));
    expect((await fetch(url, { ...callTool(1), headers: { accept: 'text/event-stream' } })).status).toBe(404);
    await settle();
    expect(desyncs).toEqual([]);
  });

  test('another session id in mid-session invalidates it', async () => {
    const { fetch, desyncs } = guarded({}, sse({ session: 's2' }));
    const response = await fetch(url, callTool(7));
    expect(await response.json()).toMatchObject({ id: 7, error: { data: { cause: 'session-changed' } } });
    await settle();
    expect(desyncs).toMatchObject([{ cause: 'session-changed', sessionId: 's1', requests: [{ id: 7 }] }]);
    expect(JSON.stringify(desyncs[0]?.error)).not.toContain('s2');
  });

  test('another session id on a resume is answered with the error of the call', async () => {
    const { fetch, server } = await brokenCall(['1']);
    server.add(sse({ session: 's2' }));
    const reading = read(await fetch(url, listen('1')));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'session-changed' } } }]);
  });

  test('the same session id again, or none, is no change', async () => {
    const leg = sse({ session: 's1' });
    const { fetch, desyncs } = guarded({}, leg);
    const reading = read(await fetch(url, callTool(7)));
    leg.send(answer('1', 7));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, result: {} }]);
    expect(desyncs).toEqual([]);
  });

  test('a new stream of another epoch shows that it was recycled', async () => {
    const one = sse();
    const two = sse();
    const { fetch, desyncs } = guarded({ contract: 'epoch' }, one, two);
    const first = read(await fetch(url, callTool(7)));
    one.send(part('1:1', 'a'), answer('1:2', 7));
    await settle();
    expect(first.messages).toHaveLength(2);
    const second = read(await fetch(url, callTool(8)));
    two.send(part('2:1', 'a'));
    await settle();
    expect(second.messages).toMatchObject([{ id: 8, error: { data: { cause: 'other-epoch' } } }]);
    expect(desyncs).toMatchObject([{ cause: 'other-epoch', firstReplayedId: '2:1' }]);
  });
});

describe('without a session id', () => {
  test('only the stream that went wrong fails, for nobody knows whose the others are', async () => {
    const one = sse();
    const two = sse();
    const { fetch, server, desyncs } = guarded({}, one, two);
    const anonymous = (id: number) => {
      const { body } = callTool(id);
      return {
        method: 'POST',
        body,
        headers: { accept: 'application/json, text/event-stream' },
      } as RequestInit;
    };
    read(await fetch(url, anonymous(7)));
    const other = read(await fetch(url, anonymous(7)));
    one.send(part('1', 'a'));
    await settle();
    one.end();
    await settle();
    const bad = sse();
    server.add(bad);
    const reading = read(
      await fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': '1' } }),
    );
    bad.send(part('9', 'gap'));
    await settle();
    expect(reading.messages).toMatchObject([
      { id: 7, error: { data: { cause: 'gap', sessionEnded: false } } },
    ]);
    expect(other.messages).toEqual([]);
    expect(desyncs).toMatchObject([{ sessionId: undefined, sessionEnded: false }]);
    server.add(sse());
    await fetch(url, anonymous(9));
    expect(server.seen).toHaveLength(4);
  });
});

describe('a refused resume', () => {
  test.each([400, 405, 410, 204])('with %i fails its call at once; the session lives', async (status) => {
    const { fetch, server, desyncs } = await brokenCall(['1']);
    server.add(plain(status), sse());
    const reading = read(await fetch(url, listen('1')));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'resume-refused' } } }]);
    expect(desyncs).toMatchObject([{ cause: 'resume-refused', sessionEnded: false }]);
    expect(server.cancelled).toEqual([7]);
    await fetch(url, callTool(8));
    expect(server.seen).toHaveLength(3);
  });

  test('with a page instead of a stream fails its call at once', async () => {
    const { fetch, server } = await brokenCall(['1']);
    server.add(plain(200, { 'content-type': 'text/html' }, '<p>'));
    const reading = read(await fetch(url, listen('1')));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'resume-refused' } } }]);
  });

  test.each([401, 403, 409, 429, 500, 503, 307])('with %i is the client’s to handle', async (status) => {
    const { fetch, server, desyncs } = await brokenCall(['1']);
    const leg = sse();
    server.add(plain(status), leg);
    expect((await fetch(url, listen('1'))).status).toBe(status);
    const reading = read(await fetch(url, listen('1')));
    leg.send(answer('2', 7));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, result: {} }]);
    expect(desyncs).toEqual([]);
  });

  test('on a connection that fails is the client’s to handle', async () => {
    const { fetch, server, desyncs } = await brokenCall(['1']);
    server.add(new TypeError('fetch failed'));
    await expect(fetch(url, listen('1'))).rejects.toThrow('fetch failed');
    await settle();
    expect(desyncs).toEqual([]);
  });
});

describe('a resumed stand-alone stream', () => {
  test('of another incarnation ends the session, though nothing waits on it', async () => {
    const first = sse();
    const { fetch, desyncs, resume } = guarded({}, first);
    read(await fetch(url, listen()));
    first.send(frame('5', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    await settle();
    first.end();
    await settle();
    const { leg, reading } = await resume('5');
    leg.send(frame('1', { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
    await settle();
    expect(reading.raw()).toBe('');
    expect(reading.ended).toBe('complete');
    expect(desyncs).toMatchObject([{ cause: 'regression', sessionEnded: true, requests: [] }]);
  });
});

describe('what the client hands over', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list' });
  const headers = { 'content-type': 'application/json', 'mcp-session-id': 's1' };
  test.each([
    ['a URL and bytes', new URL(url), { method: 'POST', headers, body: new TextEncoder().encode(body) }],
    ['a Request', new Request(url, { method: 'POST', headers, body }), undefined],
    ['a Request with an init', new Request(url, { headers }), { method: 'POST', body }],
  ] as const)('may be %s', async (_, input, init) => {
    const leg = sse();
    const { fetch, server } = guarded({}, leg);
    const reading = read(await fetch(input, init as RequestInit | undefined));
    leg.end();
    await settle();
    expect(server.seen[0]?.url).toBe(url);
    expect(reading.messages).toMatchObject([
      { id: 7, error: { data: { request: { method: 'tools/list', tool: null } } } },
    ]);
  });

  test('may be an unknown contract, which is refused with the known ones', () => {
    expect(() => guardFetch(fetch, { contract: 'monotonic' as 'opaque' })).toThrow(
      'contract: one of monotonic:stream, monotonic:session, epoch, opaque was expected, found "monotonic"',
    );
  });
});
