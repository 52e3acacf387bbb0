/** Connection endings are exactly what they claim, as the kernel of the reader sees them. */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseProfile } from '../../src/profiles/parse.ts';
import { type Observed, proxyTo } from '../proxy/kit.ts';
import { beginSession } from './harness/raw-mcp.ts';
import { chunk, event, lastChunk, mcpScript, progress, result, sseHead } from './harness/scripted-mcp.ts';
import { type ScriptedServer, startScriptedServer } from './harness/scripted-server.ts';

const endings = {
  fin: [{ how: 'fin' }, 'fin', false, 'part 1'],
  reset: [{ how: 'reset' }, 'reset', false, 'part 1'],
  'the proper end': [{ how: 'complete' }, 'open', true, 'part 1'],
  'fin before the first frame': [
    { where: 'before-first-frame', how: 'fin' },
    'fin',
    false,
    'text/event-stream',
  ],
  'reset before the first frame': [
    { where: 'before-first-frame', how: 'reset' },
    'reset',
    false,
    'text/event-stream',
  ],
  'reset before the head': [{ where: 'before-head', how: 'reset' }, 'reset', false, ''],
  'reset after the answer': [{ where: 'after-response', how: 'reset' }, 'reset', false, 'done'],
} as const;

const rules = Object.entries(endings).map(([scope, [params]]) => ({
  fault: 'drop-stream',
  params,
  when: { method: 'tools/call', scope },
  chance: 1,
}));

let server: ScriptedServer;
let proxy: Observed;

beforeAll(async () => {
  const call = [event('u1'), event('u2', progress('t', 1)), event('u3', progress('t', 2))];
  server = await startScriptedServer(
    mcpScript({
      call: ({ json }) => [sseHead(), ...[...call, event('u4', result(json!.id))].map(chunk), lastChunk],
    }),
  );
  const text = JSON.stringify({ name: 'endings', description: 'x', contract: 'monotonic:stream', rules });
  proxy = await proxyTo(server.url, { profile: parseProfile(text, 'endings.yaml') });
});

afterAll(async () => {
  await proxy?.close();
  await server?.close();
});

it.each(Object.entries(endings))('%s', async (scope, [, ending, whole, text]) => {
  const path = `/s/${encodeURIComponent(scope)}/mcp`;
  const session = await beginSession(proxy.port, scope);
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x' } });
  const head = [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${proxy.port}`,
    'accept: application/json, text/event-stream',
    `mcp-session-id: ${session}`,
    `content-length: ${body.length}`,
  ];
  const seen = await readByPython(`${head.join('\r\n')}\r\n\r\n${body}`);
  expect(seen).toMatchObject({ ending, whole });
  expect(seen.text).toContain(text);
});

async function readByPython(request: string): Promise<{ text: string; whole: boolean; ending: string }> {
  const child = spawn('python3', ['test/clients/ending.py', String(proxy.port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(request);
  let said = '';
  for await (const piece of child.stdout) said += piece;
  return JSON.parse(said);
}
