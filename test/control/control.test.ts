import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type Control, startControl } from '../../src/control/control.ts';
import { mark, marked } from '../../src/control/mark.ts';
import type { FactBody } from '../../src/history/fact.ts';

let control: Control;
let facts: FactBody[];

beforeEach(async () => {
  facts = [];
  control = await startControl((fact) => facts.push(fact));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await control.close();
});

interface Answer {
  readonly status: number;
  readonly text: string;
}

function post(
  url: string,
  body: string,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode!, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const started = JSON.stringify({ phase: 'started', name: 'a test' });

describe('marks over HTTP', () => {
  test('a mark is recorded as it was posted', async () => {
    const rejected = { phase: 'rejected', name: 'n', scope: 's', tool: 't', requestId: 7, error: 'E: gone' };
    expect(await post(`${control.url}/mark`, JSON.stringify(rejected))).toEqual({ status: 204, text: '' });
    expect(facts).toEqual([{ kind: 'mark', ...rejected }]);
  });

  test.each([
    ['{', 'not JSON'],
    ['{"phase":"done"}', 'phase'],
    ['{"phase":"started","toool":"x"}', 'toool'],
    ['[]', 'expected object'],
  ])('%s is refused, saying %s', async (body, word) => {
    const answer = await post(`${control.url}/mark`, body);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(word);
    expect(facts).toEqual([]);
  });

  test('a body that no mark could have is refused while it arrives', async () => {
    const answer = await post(`${control.url}/mark`, 'x'.repeat(40_000));
    expect(answer.status).toBe(413);
    expect(facts).toEqual([]);
  });

  test('a wrong token, a path beside it and a wrong verb are refused', async () => {
    const { origin } = new URL(control.url);
    expect((await post(`${origin}/wrong/mark`, started)).status).toBe(404);
    expect((await post(`${origin}/mark`, started)).status).toBe(404);
    expect((await post(control.url, started)).status).toBe(404);
    expect((await post(`${control.url}/inject`, started)).status).toBe(404);
    expect((await post(`${control.url}/mark`, '', {}, 'GET')).status).toBe(405);
    expect(facts).toEqual([]);
  });

  test('a foreign Host and a foreign Origin are refused, even with the token', async () => {
    expect((await post(`${control.url}/mark`, started, { host: 'evil.example' })).status).toBe(403);
    expect((await post(`${control.url}/mark`, started, { origin: 'https://evil.example' })).status).toBe(403);
    expect(facts).toEqual([]);
  });
});

describe('marks over WebSocket', () => {
  const open = (url: string, options = {}): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url.replace('http:', 'ws:'), options);
      socket.once('open', () => resolve(socket));
      socket.once('error', reject);
    });

  test('each message is a mark, and a bad one is answered', async () => {
    const socket = await open(control.url);
    socket.send(started);
    socket.send('{"phase":"finished"}');
    const answer = await new Promise<string>((resolve) =>
      socket.once('message', (data) => resolve(String(data))),
    );
    expect(JSON.parse(answer)).toEqual({ error: expect.stringContaining('phase') });
    expect(facts).toEqual([{ kind: 'mark', phase: 'started', name: 'a test' }]);
    socket.terminate();
  });

  test('a wrong token and a foreign origin do not connect', async () => {
    const { origin } = new URL(control.url);
    await expect(open(`${origin}/wrong`)).rejects.toThrow('404');
    await expect(open(control.url, { origin: 'https://evil.example' })).rejects.toThrow('403');
  });
});

describe('the Node helper', () => {
  test('outside of a run it does nothing', async () => {
    vi.stubEnv('MCP_CHAOS_CONTROL', '');
    expect(await mark('started')).toBe(false);
  });

  test('a call is marked from start to end, and its error passes on', async () => {
    vi.stubEnv('MCP_CHAOS_CONTROL', control.url);
    expect(await marked({ tool: 'count' }, async () => 42)).toBe(42);
    const failing = marked({ name: 'b' }, () => Promise.reject(new TypeError('cut')));
    await expect(failing).rejects.toThrow('cut');
    expect(facts).toEqual([
      { kind: 'mark', phase: 'started', tool: 'count' },
      { kind: 'mark', phase: 'resolved', tool: 'count' },
      { kind: 'mark', phase: 'started', name: 'b' },
      { kind: 'mark', phase: 'rejected', name: 'b', error: 'TypeError: cut' },
    ]);
  });

  test('a control address that is gone is not an error', async () => {
    vi.stubEnv('MCP_CHAOS_CONTROL', 'http://127.0.0.1:1/gone');
    expect(await mark('resolved')).toBe(false);
  });
});
