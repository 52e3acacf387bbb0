/** The embedded server, by raw fetch for the transport and by the official client for the tools. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/upstream/embedded.ts';

let server: EmbeddedServer;
const clients: Client[] = [];

beforeEach(async () => {
  server = await startEmbeddedServer();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await server.close();
});

async function connect(capabilities = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)) as Transport);
  clients.push(client);
  return client;
}

type Content = { content: { text: string }[] };
async function call(client: Client, name: string, args = {}, options = {}): Promise<string[]> {
  const result = (await client.callTool({ name, arguments: args }, undefined, options)) as Content;
  return result.content.map(({ text }) => text);
}

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

async function post(message: unknown, extra: Record<string, string> = {}): Promise<Response> {
  return fetch(server.url, {
    method: 'POST',
    headers: { ...headers, ...extra },
    body: JSON.stringify(message),
  });
}

/** Opens a session by hand; returns the headers of its later requests. */
async function openSession(version = '2025-11-25'): Promise<Record<string, string>> {
  const response = await post(initialize(version));
  await response.text();
  const session = {
    'mcp-session-id': response.headers.get('mcp-session-id')!,
    'mcp-protocol-version': version,
  };
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
}

function countCall(n: number, delayMs: number, token?: string) {
  const _meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return {
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name: 'count', arguments: { n, delayMs }, ..._meta },
  };
}

const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id!);
const dataIn = (text: string) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data!));

/** Reads a stream until `enough` of it has come, then drops the connection. */
async function readUntil(response: Response, enough: (text: string) => boolean): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    if (enough(text)) break;
  }
  return text;
}

describe('transport', () => {
  it('streams a priming event with retry, the parts, and then the answer, in order', async () => {
    const text = await (await post(countCall(3, 1, 't'), await openSession())).text();
    expect(text).toMatch(/^id: \S+\nretry: 100\ndata: \n\n/);
    expect(dataIn(text).map((message) => message.params?.message ?? message.result.content.length)).toEqual([
      'part 1 of 3',
      'part 2 of 3',
      'part 3 of 3',
      4,
    ]);
  });

  it('sends no priming event to clients before 2025-11-25', async () => {
    const text = await (await post(countCall(1, 1), await openSession('2025-06-18'))).text();
    expect(idsIn(text)).toHaveLength(2);
    expect(text).not.toContain('retry');
  });

  it('resumes a dropped call by GET: the rest once, in order, to the live end, and then ends the stream', async () => {
    const session = await openSession();
    const first = await readUntil(await post(countCall(8, 15), session), (text) => idsIn(text).length >= 3);
    const resumed = await resume(session, idsIn(first).at(-1)!);
    const rest = await resumed.text();
    const parts = [...dataIn(first), ...dataIn(rest)].map((message) => message.params?.data ?? message.id);
    expect(parts).toEqual([...Array.from({ length: 8 }, (_, index) => `part ${index + 1} of 8`), 7]);
  });

  it('ends a resumed stream too where the answer had come before the resume', async () => {
    const session = await openSession();
    const whole = await (await post(countCall(2, 1), session)).text();
    const resumed = await resume(session, idsIn(whole)[0]!);
    expect(idsIn(await resumed.text())).toEqual(idsIn(whole).slice(1));
  });

  it('answers 400 to a cursor it never gave and 409 while the stream is still read', async () => {
    const session = await openSession();
    const running = await post(countCall(1000, 20), session);
    const [id] = idsIn(await readUntilOpen(running));
    expect((await get(session, 'nonsense_1')).status).toBe(400);
    expect((await get(session, id!)).status).toBe(409);
    await running.body?.cancel().catch(() => {});
  });

  it('gives 404 for unknown and ended sessions, 400 without one, and ends a session on DELETE', async () => {
    const session = await openSession();
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await post(list)).status).toBe(400);
    expect((await post(list, { 'mcp-session-id': 'nobody' })).status).toBe(404);
    expect((await post(list, session)).status).toBe(200);
    expect((await fetch(server.url, { method: 'DELETE', headers: session })).status).toBe(200);
    expect((await post(list, session)).status).toBe(404);
  });

  it('answers batches of 2025-03-26', async () => {
    const session = await openSession('2025-03-26');
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ];
    const answers = dataIn(await (await post(batch, session)).text());
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  });

  it('refuses a foreign Origin, serves health beside MCP, and 404 elsewhere', async () => {
    expect((await post(initialize('2025-11-25'), { origin: 'https://evil.example' })).status).toBe(403);
    const health = await fetch(new URL('/health', server.url));
    expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
    expect((await fetch(new URL('/else', server.url))).status).toBe(404);
    expect((await fetch(server.url, { method: 'PUT' })).status).toBe(405);
  });

  it('says which port is in use', async () => {
    await expect(startEmbeddedServer({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});

async function get(session: Record<string, string>, cursor: string): Promise<Response> {
  return fetch(server.url, { headers: { accept: 'text/event-stream', ...session, 'last-event-id': cursor } });
}

/** As `get`, until the server has noticed that the old connection is gone. */
async function resume(session: Record<string, string>, cursor: string): Promise<Response> {
  for (;;) {
    const response = await get(session, cursor);
    if (response.status !== 409) return response;
    await response.text();
  }
}

async function readUntilOpen(response: Response): Promise<string> {
  const { value } = await response.body!.getReader().read();
  return new TextDecoder().decode(value);
}

describe('tools', () => {
  it('count reports every part as progress and again in its result', async () => {
    const client = await connect();
    const seen: (string | undefined)[] = [];
    const result = await call(
      client,
      'count',
      { n: 3 },
      { onprogress: (part: { message?: string }) => seen.push(part.message) },
    );
    expect(seen).toEqual(['part 1 of 3', 'part 2 of 3', 'part 3 of 3']);
    expect(result).toEqual([...seen, 'counted to 3']);
  });

  it('report returns as many sections as asked for', async () => {
    expect(await call(await connect(), 'report', { sections: 4 })).toHaveLength(4);
  });

  it('charge counts over all sessions, also for a caller that left at once', async () => {
    const [one, two] = [await connect(), await connect()];
    await call(one, 'charge', { amount: 5, reference: 'a' });
    await call(two, 'charge', { amount: 5, reference: 'b' });
    await call(two, 'charge', { amount: 5, reference: 'b' });
    expect(await call(one, 'charges')).toEqual(['3']);
    expect(await call(one, 'charges', { reference: 'b' })).toEqual(['2']);
  });

  it('touch tells subscribers, of any session, and nobody else', async () => {
    const [reader, writer] = [await connect(), await connect()];
    const updated = new Promise<string>((resolve) => {
      reader.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => resolve(params.uri));
    });
    await reader.subscribeResource({ uri: 'note://mine' });
    expect(await call(writer, 'touch', { uri: 'note://other' })).toEqual(['note://other is at version 2']);
    await call(writer, 'touch', { uri: 'note://mine' });
    expect(await updated).toBe('note://mine');
    const { contents } = await reader.readResource({ uri: 'note://mine' });
    expect(contents[0]).toMatchObject({ text: 'note://mine, version 2' });
  });

  it('grow adds a tool and sends list_changed on the GET stream', async () => {
    const client = await connect();
    const changed = new Promise<void>((resolve) => {
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
    });
    await call(client, 'grow');
    await changed;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('grown-1');
    expect(await call(client, 'grown-1')).toEqual(['grown-1']);
  });

  it('ask asks only a client that declared that it can be asked', async () => {
    expect((await call(await connect(), 'ask'))[0]).toContain('nothing was asked');
    const asked = await connect({ elicitation: { form: {} } });
    asked.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { colour: 'blue' } }));
    expect(await call(asked, 'ask')).toEqual(['elicited accept {"colour":"blue"}']);
  });

  it('log level silences the parts of calls without a token', async () => {
    const session = await openSession();
    await post({ jsonrpc: '2.0', id: 3, method: 'logging/setLevel', params: { level: 'error' } }, session);
    const text = await (await post(countCall(3, 1), session)).text();
    expect(dataIn(text)).toHaveLength(1);
  });

  it('a cancelled count stops, and its session goes on', async () => {
    const client = await connect();
    await expect(call(client, 'count', { n: 1000, delayMs: 20 }, { timeout: 60 })).rejects.toThrow(
      'timed out',
    );
    expect(await call(client, 'echo', { text: 'still here' })).toEqual(['still here']);
  });

  it('twelve calls take about a second, not ten', async () => {
    const client = await connect();
    const start = performance.now();
    for (let index = 0; index < 12; index += 1) await call(client, 'count');
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
