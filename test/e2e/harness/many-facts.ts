/** A long run, made up: calls on one stream each, most of them in order, every hundredth dropped and never resumed. */
import type { Fact, FactBody } from '../../../src/history/fact.ts';

const perCall = 20;

export function manyFacts(count: number): readonly Fact[] {
  const facts: Fact[] = [];
  const add = (body: FactBody): void => {
    if (facts.length < count) facts.push({ ...body, seq: facts.length + 1, at: facts.length / 10 } as Fact);
  };
  add({
    kind: 'run-started',
    format: 1,
    version: '0.1.0',
    seed: '1',
    profile: 'drop-stream',
    contract: 'monotonic:stream',
    options: { deadlineMs: 1000 },
    command: ['node', 'long.mjs'],
    rules: [{ fault: 'drop-stream', control: true }],
    upstreams: ['embedded'],
    startedAt: '2026-11-30T00:00:00.000Z',
  });
  for (let call = 1; facts.length < count; call += 1) addCall(call, add);
  return facts;
}

function addCall(call: number, add: (body: FactBody) => void): void {
  const dropped = call % 100 === 0;
  const base = { exchange: call } as const;
  const scope = `suite-${call % 40}`;
  add({
    ...base,
    kind: 'request',
    connection: 1,
    upstream: 'embedded',
    scope,
    lane: 's1',
    verb: 'POST',
    path: '/mcp',
    headers: { 'content-type': 'application/json' },
    session: `session-${call % 40}`,
    protocolVersion: '2025-11-25',
    mcp: true,
  });
  add({
    ...base,
    kind: 'request-body',
    body: {
      text: JSON.stringify({
        jsonrpc: '2.0',
        id: call,
        method: 'tools/call',
        params: { name: 'count', arguments: { n: call } },
      }),
    },
  });
  add({ ...base, kind: 'stream-opened', stream: `stream-${call}`, born: 'POST' });
  add({ ...base, kind: 'head', side: 'both', status: 200, headers: { 'content-type': 'text/event-stream' } });
  for (let event = 1; event <= perCall - 6; event += 1) {
    const data = {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: call, progress: event, message: `part ${event} of a long answer` },
    };
    add({
      ...base,
      kind: 'bytes',
      side: 'both',
      body: { text: `id: ${call * 1000 + event}\ndata: ${JSON.stringify(data)}\n\n` },
    });
  }
  if (!dropped) {
    const answer = { jsonrpc: '2.0', id: call, result: { content: [{ type: 'text', text: 'done' }] } };
    add({
      ...base,
      kind: 'bytes',
      side: 'both',
      body: { text: `id: ${call * 1000 + 999}\ndata: ${JSON.stringify(answer)}\n\n` },
    });
    add({ ...base, kind: 'end', side: 'both', how: 'complete', by: 'upstream' });
    return;
  }
  add({ ...base, kind: 'end', side: 'both', how: 'fin', by: 'upstream' });
}
