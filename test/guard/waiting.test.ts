import { describe, expect, test } from 'vitest';
import { type Desync, type GuardOptions, guardFetch } from '../../src/guard/index.ts';
import {
  answer,
  callTool,
  fakeClock,
  listen,
  part,
  plain,
  read,
  serve,
  settle,
  sse,
  url,
} from './scripted.ts';

/** A call that has been shown event 1 and lost its connection, and a resume that the server accepted. */
async function resumed(options: Partial<GuardOptions> = {}, retry = '') {
  const clock = fakeClock();
  const desyncs: Desync[] = [];
  const first = sse();
  const leg = sse();
  const server = serve(first, leg);
  const fetch = guardFetch(server.fetch, {
    contract: 'monotonic:stream',
    clock,
    livenessMs: 1000,
    resumeMs: 5000,
    onDesync: (desync) => desyncs.push(desync),
    ...options,
  });
  const call = read(await fetch(url, callTool(7)));
  first.send(retry, part('1', 'a'));
  await settle();
  first.end();
  await settle();
  const getting = fetch(url, listen('1'));
  return { clock, desyncs, server, fetch, leg, getting, call };
}

const pong = (id: string) =>
  plain(200, { 'content-type': 'application/json' }, JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
const answerPing = ({ body }: { body: string }) => pong(JSON.parse(body).id);

describe('silence after a resume', () => {
  test('is met with a ping on the same session, and is a divergence although the ping is answered', async () => {
    const { clock, desyncs, server, getting } = await resumed();
    const reading = read(await getting);
    server.add(answerPing);
    await clock.pass(499);
    expect(server.seen).toHaveLength(2);
    await clock.pass(1);
    const ping = server.seen[2]!;
    expect(ping.verb).toBe('POST');
    expect(JSON.parse(ping.body)).toMatchObject({
      method: 'ping',
      id: expect.stringContaining('guard-ping'),
    });
    expect(ping.headers.get('mcp-session-id')).toBe('s1');
    expect(ping.headers.get('last-event-id')).toBeNull();
    await clock.pass(499);
    expect(desyncs).toEqual([]);
    await clock.pass(1);
    expect(reading.messages).toMatchObject([
      { id: 7, error: { data: { cause: 'silence', lastSeenId: '1' } } },
    ]);
    expect(desyncs).toMatchObject([
      {
        cause: 'silence',
        sessionEnded: true,
        message: expect.stringContaining('the session answers a ping'),
      },
    ]);
  });

  test('is over at once where the ping finds no session', async () => {
    const { clock, desyncs, server, getting } = await resumed();
    const reading = read(await getting);
    server.add(plain(404));
    await clock.pass(500);
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'session-lost' } } }]);
    expect(desyncs).toHaveLength(1);
    await clock.pass(1e6);
    expect(desyncs).toHaveLength(1);
  });

  test('is bounded where the ping is never answered', async () => {
    const { clock, desyncs, server, getting } = await resumed();
    read(await getting);
    server.add(new Promise<Response>(() => {}));
    await clock.pass(1000);
    expect(desyncs).toMatchObject([
      { cause: 'silence', message: expect.stringContaining('was not answered') },
    ]);
  });

  test('a ping may be answered on a stream that stays open', async () => {
    const { clock, desyncs, server, getting } = await resumed();
    read(await getting);
    const ponged = sse();
    server.add(({ body }) => {
      ponged.send(`data: {"jsonrpc":"2.0","id":"${JSON.parse(body).id}","result":{}}\n\n`);
      return ponged;
    });
    await clock.pass(1000);
    expect(ponged.cancelled).toBe(true);
    expect(desyncs).toMatchObject([{ message: expect.stringContaining('the session answers a ping') }]);
  });

  test.each([
    ['an event', part('2', 'b')],
    ['an event without an id', part(undefined, 'b')],
  ])('ends with %s: a slow tool after that is none of the guard’s concern', async (_, event) => {
    const { clock, desyncs, server, getting, leg } = await resumed();
    const reading = read(await getting);
    server.add(answerPing);
    await clock.pass(900);
    leg.send(event);
    await clock.pass(1e9);
    expect(reading.raw()).toBe(event);
    expect(desyncs).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test.each([
    ['comments', ': still here\n\n'],
    ['a priming event', 'id: 2\ndata:\n\n'],
    ['the last event again', part('1', 'a')],
  ])('does not end with %s', async (_, bytes) => {
    const { clock, desyncs, server, getting, leg } = await resumed();
    read(await getting);
    server.add(answerPing);
    leg.send(bytes);
    await clock.pass(1000);
    expect(desyncs).toMatchObject([{ cause: 'silence' }]);
  });

  test('goes on over resumes that bring nothing', async () => {
    const { clock, desyncs, server, fetch, getting, leg } = await resumed();
    read(await getting);
    await clock.pass(400);
    leg.end();
    await settle();
    const second = sse();
    server.add(second, answerPing);
    const reading = read(await fetch(url, listen()));
    await clock.pass(599);
    expect(desyncs).toEqual([]);
    await clock.pass(1);
    expect(desyncs).toMatchObject([{ cause: 'silence' }]);
    expect(reading.messages).toMatchObject([{ id: 7, error: {} }]);
    // One wait, one ping.
    expect(server.seen.filter(({ body }) => body.includes('"ping"'))).toHaveLength(1);
  });

  test('without a session id fails its call, and nobody is pinged', async () => {
    const clock = fakeClock();
    const first = sse();
    const server = serve(first, sse());
    const desyncs: Desync[] = [];
    const fetch = guardFetch(server.fetch, { clock, livenessMs: 1000, onDesync: (one) => desyncs.push(one) });
    const call = callTool(7);
    read(await fetch(url, { ...call, headers: { accept: 'application/json, text/event-stream' } }));
    first.send(part('1', 'a'));
    await settle();
    first.end();
    await settle();
    read(await fetch(url, { headers: { accept: 'text/event-stream', 'last-event-id': '1' } }));
    await clock.pass(1000);
    expect(server.seen).toHaveLength(2);
    expect(desyncs).toMatchObject([{ cause: 'silence', sessionEnded: false, requests: [{ id: 7 }] }]);
  });

  test('is told on the next resume where it ended between two legs', async () => {
    const { clock, desyncs, server, fetch, getting, leg } = await resumed();
    read(await getting);
    server.add(answerPing);
    await clock.pass(600);
    leg.end();
    await clock.pass(400);
    expect(desyncs).toMatchObject([{ cause: 'silence' }]);
    const reading = read(await fetch(url, listen('1')));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'silence' } } }]);
    expect((await fetch(url, listen('1'))).status).toBe(404);
  });

  test('is not judged where the host says so', async () => {
    const { clock, desyncs, getting, server } = await resumed({ livenessMs: Number.POSITIVE_INFINITY });
    read(await getting);
    await clock.pass(1e9);
    expect(desyncs).toEqual([]);
    expect(server.seen).toHaveLength(2);
  });

  test('of a stand-alone stream is its nature', async () => {
    const clock = fakeClock();
    const first = sse();
    const server = serve(first, sse());
    const desyncs: Desync[] = [];
    const fetch = guardFetch(server.fetch, { clock, livenessMs: 1000, onDesync: (one) => desyncs.push(one) });
    read(await fetch(url, listen()));
    first.send(part('1', 'a'));
    await settle();
    first.end();
    await settle();
    read(await fetch(url, listen('1')));
    await clock.pass(1e6);
    expect(server.seen).toHaveLength(2);
    expect(desyncs).toEqual([]);
  });

  test('ends with the client’s interest', async () => {
    const { clock, desyncs, fetch, server, getting } = await resumed();
    read(await getting);
    server.add(plain(202));
    const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}';
    await fetch(url, { ...callTool(8), body: cancelled });
    await clock.pass(1e6);
    expect(desyncs).toEqual([]);
    expect(clock.waiting).toBe(0);
  });
});

describe('a client that does not come back', () => {
  async function broken(options: Partial<GuardOptions> = {}, signal?: AbortSignal) {
    const clock = fakeClock();
    const desyncs: Desync[] = [];
    const leg = sse();
    const standing = sse();
    const server = serve(standing, leg);
    const fetch = guardFetch(server.fetch, {
      clock,
      resumeMs: 5000,
      onDesync: (one) => desyncs.push(one),
      ...options,
    });
    const standalone = read(await fetch(url, listen()));
    const call = read(await fetch(url, { ...callTool(7), ...(signal && { signal }) }));
    leg.send('retry: 300\n', part('1', 'a'));
    await settle();
    leg.end();
    await settle();
    return { clock, desyncs, fetch, server, standing, standalone, call };
  }

  test('has its call failed on another stream of the session, after retry and resumeMs', async () => {
    const { clock, desyncs, server, standing, standalone } = await broken();
    await clock.pass(5299);
    expect(desyncs).toEqual([]);
    await clock.pass(1);
    expect(desyncs).toMatchObject([{ cause: 'never-resumed', sessionEnded: false, requests: [{ id: 7 }] }]);
    expect(standalone.messages).toMatchObject([{ id: 7, error: { data: { cause: 'never-resumed' } } }]);
    expect(server.cancelled).toEqual([7]);
    // That stream goes on, its cursor is the server's.
    expect(standalone.ids).toEqual([]);
    standing.send(part('9', 'x'));
    await settle();
    expect(standalone.ids).toEqual(['9']);
  });

  test('never has an error put into the middle of an event', async () => {
    const { clock, standing, standalone } = await broken();
    standing.send('id: 9\nda');
    await clock.pass(5300);
    expect(standalone.raw()).toBe('id: 9\nda');
    standing.send('ta: {"method":"x"}\n\n');
    await settle();
    expect(standalone.messages).toMatchObject([{ method: 'x' }, { id: 7, error: {} }]);
  });

  test('is given the error when it comes too late', async () => {
    const { clock, desyncs, fetch, standing, server } = await broken();
    standing.end();
    await clock.pass(5300);
    expect(desyncs).toHaveLength(1);
    const reading = read(await fetch(url, listen('1')));
    await settle();
    expect(reading.messages).toMatchObject([{ id: 7, error: { data: { cause: 'never-resumed' } } }]);
    expect(server.seen).toHaveLength(2);
  });

  test('because it closed itself is nobody’s concern', async () => {
    const abort = new AbortController();
    const { clock, desyncs } = await broken({}, abort.signal);
    abort.abort();
    await clock.pass(1e6);
    expect(desyncs).toEqual([]);
  });
});

describe('retry', () => {
  test('holds an early resume back for as long as the server asked', async () => {
    const { clock, server, getting } = await resumed({}, 'retry: 750\n');
    await clock.pass(749);
    expect(server.seen).toHaveLength(1);
    await clock.pass(1);
    expect(server.seen).toHaveLength(2);
    await getting;
  });

  test('of 2^31 ms and more is not turned into none', async () => {
    const { clock, server } = await resumed({}, 'retry: 99999999999999999999\n');
    await clock.pass(2 ** 40);
    expect(server.seen).toHaveLength(1);
  });

  test('is not waited for by a client that gave up', async () => {
    const { clock, fetch, leg, getting, server } = await resumed({}, 'retry: 50\n');
    await clock.pass(50);
    read(await getting);
    leg.end();
    await settle();
    const abort = new AbortController();
    const waiting = fetch(url, listen('1', 's1', abort.signal));
    const failed = expect(waiting).rejects.toThrow('gave up');
    await settle();
    abort.abort(new Error('gave up'));
    await failed;
    expect(server.seen).toHaveLength(2);
  });

  test('of one stream does not hold back another', async () => {
    const { server, fetch } = await resumed({}, 'retry: 750\n');
    const other = sse();
    server.add(other);
    read(await fetch(url, callTool(8)));
    expect(server.seen).toHaveLength(2);
  });
});

describe('an open stream that says nothing', () => {
  async function quiet(options: Partial<GuardOptions>, ...frames: string[]) {
    const clock = fakeClock();
    const desyncs: Desync[] = [];
    const leg = sse();
    const server = serve(leg);
    const fetch = guardFetch(server.fetch, { clock, onDesync: (one) => desyncs.push(one), ...options });
    const reading = read(await fetch(url, callTool(7)));
    leg.send(...frames);
    await settle();
    return { clock, desyncs, leg, server, fetch, reading };
  }

  test('is left alone unless the host asked for it', async () => {
    const { clock, reading } = await quiet({}, part('1', 'a'));
    await clock.pass(1e9);
    expect(reading.ended).toBeUndefined();
  });

  test('is ended after stallMs, so that the client resumes it and is answered', async () => {
    const { clock, reading, desyncs, leg, server, fetch } = await quiet({ stallMs: 400 }, part('1', 'a'));
    await clock.pass(399);
    leg.send(': alive\n\n');
    await clock.pass(399);
    expect(reading.ended).toBeUndefined();
    await clock.pass(1);
    expect(reading.ended).toBe('complete');
    expect(leg.cancelled).toBe(true);
    expect(desyncs).toEqual([]);
    const again = sse();
    server.add(again);
    const rest = read(await fetch(url, listen('1')));
    again.send(answer('2', 7));
    await clock.pass(1e6);
    expect(rest.messages).toMatchObject([{ id: 7, result: {} }]);
    expect(desyncs).toEqual([]);
  });

  test('is left to the request’s own timeout where it cannot be resumed', async () => {
    const { clock, reading, desyncs } = await quiet({ stallMs: 400 }, part(undefined, 'a'));
    await clock.pass(1e5);
    expect(reading.ended).toBeUndefined();
    expect(desyncs).toEqual([]);
  });

  test('has no say once its call is answered', async () => {
    const { clock, reading } = await quiet({ stallMs: 400 }, answer('1', 7));
    expect(clock.waiting).toBe(0);
    await clock.pass(1e5);
    expect(reading.ended).toBeUndefined();
  });
});
