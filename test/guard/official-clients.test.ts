/**
 * The official clients behind the guard: nothing changes while nothing is wrong, and what was a timeout is an
 * error at once. The timeout of every call is far beyond the tests' own patience, so none of them can pass by it.
 */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Desync, desyncErrorCode, type FetchLike, guardFetch } from '../../src/guard/index.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/upstream/embedded.ts';
import { answer, part, plain, type Scripted, settle, sse } from './scripted.ts';

const timeout = 600_000;

interface Connected {
  call(name: string, args: object, onpart?: (part: string) => void): Promise<string[]>;
  tools(): Promise<number>;
  subscribe(uri: string, onUpdate: () => void): Promise<void>;
  readonly errors: Error[];
  close(): Promise<void>;
}

type Content = { content: { text: string }[] };

async function connectV1(url: string, fetch: FetchLike): Promise<Connected> {
  const client = new ClientV1({ name: 'v1', version: '1' });
  const transport = new TransportV1(new URL(url), { fetch });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport as Transport);
  return {
    errors,
    async call(name, args, onpart = () => {}) {
      const options = { timeout, onprogress: ({ message = '' }) => onpart(message) };
      const result = (await client.callTool({ name, arguments: { ...args } }, undefined, options)) as Content;
      return result.content.map(({ text }) => text);
    },
    tools: async () => (await client.listTools()).tools.length,
    async subscribe(uri, onUpdate) {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, onUpdate);
      await client.subscribeResource({ uri });
    },
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

async function connectV2(url: string, fetch: FetchLike): Promise<Connected> {
  const client = new ClientV2({ name: 'v2', version: '1' });
  const transport = new TransportV2(new URL(url), { fetch });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  return {
    errors,
    async call(name, args, onpart = () => {}) {
      const options = { timeout, onprogress: ({ message = '' }) => onpart(message) };
      const result = (await client.callTool({ name, arguments: { ...args } }, options)) as Content;
      return result.content.map(({ text }) => text);
    },
    tools: async () => (await client.listTools()).tools.length,
    async subscribe(uri, onUpdate) {
      client.setNotificationHandler('notifications/resources/updated', onUpdate);
      await client.subscribeResource({ uri });
    },
    async close() {
      await transport.terminateSession();
      await client.close();
    },
  };
}

const clients: [string, typeof connectV1][] = [
  ['sdk 1.32.2', connectV1],
  ['client 2.4.0', connectV2],
];

describe.each(clients)('%s over the embedded server, fault-free', (_, connect) => {
  let server: EmbeddedServer;
  beforeEach(async () => {
    server = await startEmbeddedServer();
  });
  afterEach(() => server.close());

  test('works as it does without the guard', async () => {
    const desyncs: Desync[] = [];
    const fetch = guardFetch(globalThis.fetch, {
      stallMs: 5000,
      livenessMs: 5000,
      onDesync: (one) => desyncs.push(one),
    });
    const client = await connect(server.url, fetch);
    expect(await client.tools()).toBeGreaterThan(3);

    const parts: string[] = [];
    const counted = await client.call('count', { n: 30, delayMs: 0 }, (one) => parts.push(one));
    expect(parts).toHaveLength(30);
    expect(counted).toEqual([...parts, 'counted to 30']);

    const many = await Promise.all([3, 5, 7].map((n) => client.call('count', { n, delayMs: 1 })));
    expect(many.map((result) => result.at(-1))).toEqual(['counted to 3', 'counted to 5', 'counted to 7']);

    const updated = deferred();
    await client.subscribe('note://guard', updated.resolve);
    await client.call('touch', { uri: 'note://guard' });
    await updated.promise;

    await client.close();
    expect(desyncs).toEqual([]);
    expect(client.errors).toEqual([]);
  });

  test('is resumed coherently after every break, and nothing is lost', async () => {
    const desyncs: Desync[] = [];
    const fetch = guardFetch(breaking(globalThis.fetch), { onDesync: (one) => desyncs.push(one) });
    const client = await connect(server.url, fetch);
    const parts: string[] = [];
    const counted = await client.call('count', { n: 4, delayMs: 1 }, (one) => parts.push(one));
    expect(parts).toHaveLength(4);
    expect(counted.at(-1)).toBe('counted to 4');
    await client.close();
    expect(desyncs).toEqual([]);
  });
});

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Ends every stream of a call after the chunk that brings its second id: a middlebox with little patience. */
function breaking(fetch: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init);
    const calls = typeof init?.body === 'string' && init.body.includes('tools/call');
    if (!calls || response.body === null) return response;
    const reader = response.body.getReader();
    let ids = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) return controller.close();
        controller.enqueue(value);
        ids += new TextDecoder().decode(value).split('\nid: ').length - 1;
        if (ids < 2) return;
        controller.close();
        // As a proxy does it: the server's side is gone with the client's.
        await reader.cancel();
      },
    });
    return new Response(body, response);
  };
}

/** A session of one call, in memory: the call's stream, then what each GET with a cursor is answered. */
function scriptedSession(call: Scripted, resumes: (Response | Scripted)[]) {
  const cursors: (string | null)[] = [];
  const json = { 'content-type': 'application/json', 'mcp-session-id': 's1' };
  const fetch: FetchLike = async (_, init) => {
    const headers = new Headers(init?.headers);
    if (init?.method === 'GET') {
      const cursor = headers.get('last-event-id');
      if (cursor === null) return plain(405);
      cursors.push(cursor);
      const next = resumes.shift();
      if (next === undefined) throw new Error(`nothing is scripted for a resume after ${cursor}`);
      return 'response' in next ? next.response : next;
    }
    const message = JSON.parse(String(init?.body)) as { id?: number; method: string };
    if (message.id === undefined) return plain(202);
    if (message.method === 'tools/call') return call.response;
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1' },
    };
    if (message.method === 'server/discover') return plain(400, json, 'Bad Request');
    return plain(200, json, JSON.stringify({ jsonrpc: '2.0', id: message.id, result }));
  };
  return { fetch, cursors };
}

describe.each(clients)('%s, its call resumed into something else', (_, connect) => {
  /** The client's own reconnection waits one millisecond: `retry` is respected. */
  const opening = ['retry: 1\nid: 101\ndata:\n\n', part('102', 'one')];

  async function rejected(resumes: (Response | Scripted)[], options: object = {}) {
    const call = sse();
    const session = scriptedSession(call, resumes);
    const desyncs: Desync[] = [];
    const fetch = guardFetch(session.fetch, {
      contract: 'monotonic:stream',
      onDesync: (one) => desyncs.push(one),
      ...options,
    });
    const client = await connect('https://server.test/mcp', fetch);
    const pending = client.call('count', { n: 3 }).then(
      () => ({ code: 0, message: 'resolved', data: undefined }),
      (error: { code: number; message: string; data: unknown }) => error,
    );
    await settle();
    call.send(...opening);
    await settle();
    call.end();
    const error = await pending;
    return { ...session, error, desyncs, client };
  }

  test.each([
    ['a cursor regression', () => [part('17', 'another incarnation')], 'regression'],
    ['an event gap', () => [part('109', 'later')], 'gap'],
    ['the same event with other content', () => [part('102', 'not one')], 'divergence'],
  ])('%s rejects the call at once', async (_, frames, cause) => {
    const leg = sse();
    leg.send(...frames());
    const { error, desyncs } = await rejected([leg]);
    expect(error.code).toBe(desyncErrorCode);
    expect(error.message).toContain(cause);
    expect(error.data).toMatchObject({
      source: 'mcp-chaos/guard',
      cause,
      lastSeenId: '102',
      sessionEnded: true,
    });
    expect(desyncs).toHaveLength(1);
  });

  test('silence rejects the call after livenessMs', async () => {
    const { error } = await rejected([sse()], { livenessMs: 50 });
    expect(error.data).toMatchObject({ cause: 'silence' });
  });

  test('404 rejects the call at once', async () => {
    const { error } = await rejected([plain(404)]);
    expect(error.data).toMatchObject({ cause: 'session-lost' });
  });

  test.each([400, 405, 410])('a refusal with %i rejects the call at once', async (status) => {
    const { error, desyncs } = await rejected([plain(status)]);
    expect(error.data).toMatchObject({ cause: 'resume-refused', sessionEnded: false });
    expect(desyncs).toMatchObject([{ sessionEnded: false }]);
  });

  test('later calls are refused, and the client leaves the stream alone', async () => {
    const leg = sse();
    leg.send(part('109', 'later'));
    const { client, cursors } = await rejected([leg]);
    await expect(client.call('count', {})).rejects.toThrow(/this session ended \(gap/);
    await settle();
    expect(cursors).toEqual(['102']);
  });

  test('an empty leg costs nothing: the cursor that the client forgot is put back', async () => {
    const call = sse();
    const empty = sse();
    const leg = sse();
    const { fetch, cursors } = scriptedSession(call, [empty, leg]);
    const desyncs: Desync[] = [];
    const guarded = guardFetch(fetch, { contract: 'monotonic:stream', onDesync: (one) => desyncs.push(one) });
    const client = await connect('https://server.test/mcp', guarded);
    const pending = client.call('count', { n: 3 });
    await settle();
    call.send(...opening);
    await settle();
    empty.end();
    // `initialize` was request 0 of both clients.
    leg.send(part('103', 'two'), answer('104', 1, 'counted'));
    call.end();
    expect(await pending).toEqual(['counted']);
    expect(cursors).toEqual(['102', '102']);
    expect(desyncs).toEqual([]);
  });
});
