import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classifyRequest, toolOf } from '../../src/mcp/family.ts';
import { readMessages } from '../../src/mcp/message.ts';

const call = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
const stateless = call({ name: 'a', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25' },
});

describe('classifyRequest', () => {
  test.each([
    ['session', 'initialize', 'POST', {}, initialize],
    ['session', 'a call in a session', 'POST', { 'mcp-session-id': 's' }, call({ name: 'a' })],
    ['session', 'a call of a server without session ids', 'POST', {}, call({ name: 'a' })],
    ['session', 'a call with a progress token', 'POST', {}, call({ name: 'a', _meta: { progressToken: 1 } })],
    ['session', 'a batch', 'POST', {}, `[${call({ name: 'a' })}]`],
    ['session', 'a session id whose body is not known yet', 'POST', { 'mcp-session-id': 's' }, undefined],
    [
      'session',
      'the GET stream of a server without sessions',
      'GET',
      { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' },
      undefined,
    ],
    [
      'session',
      'its resumption, of a revision that has no version header',
      'GET',
      { accept: 'text/event-stream', 'last-event-id': '7' },
      undefined,
    ],
    [
      'none',
      'a GET that says nothing else: so begins HTTP+SSE (2024-11-05)',
      'GET',
      { accept: 'text/event-stream' },
      undefined,
    ],
    [
      'session',
      'a GET that takes more than event streams',
      'GET',
      { accept: 'application/json, Text/Event-Stream;q=0.9', 'mcp-protocol-version': '2025-06-18' },
      undefined,
    ],
    ['session', 'a GET in a session without Accept', 'GET', { 'mcp-session-id': 's' }, undefined],
    ['session', 'the end of a session', 'DELETE', { 'mcp-session-id': 's' }, undefined],
    ['session', 'a verb in lower case', 'delete', { 'mcp-session-id': 's' }, ''],
    ['stateless', 'a revision in _meta', 'POST', {}, stateless],
    [
      'stateless',
      'a revision in _meta, with a left-over session id',
      'POST',
      { 'mcp-session-id': 's' },
      stateless,
    ],
    ['stateless', 'Mcp-Method', 'POST', { 'mcp-method': 'tools/list' }, undefined],
    [
      'session',
      'Mcp-Method under an older revision',
      'POST',
      { 'mcp-method': 'tools/call', 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 's' },
      call({ name: 'a' }),
    ],
    [
      'session',
      'Mcp-Method under an older revision, without a session id',
      'POST',
      { 'mcp-method': 'tools/call', 'mcp-protocol-version': '2025-11-25' },
      call({ name: 'a' }),
    ],
    ['session', 'Mcp-Method of a handshake', 'POST', { 'mcp-method': 'initialize' }, initialize],
    [
      'stateless',
      'Mcp-Method under its revision',
      'POST',
      { 'mcp-method': 'tools/call', 'mcp-protocol-version': '2026-07-28' },
      call({ name: 'a' }),
    ],
    [
      'stateless',
      'Mcp-Method under an older revision, with another in _meta',
      'POST',
      { 'mcp-method': 'tools/call', 'mcp-protocol-version': '2025-11-25' },
      stateless,
    ],
    ['none', 'a page', 'GET', { accept: 'text/html,*/*' }, undefined],
    ['none', 'a GET without Accept', 'GET', {}, undefined],
    ['none', 'another event-stream-like type', 'GET', { accept: 'text/event-streams' }, undefined],
    ['none', 'a DELETE without a session', 'DELETE', {}, undefined],
    ['none', 'a form', 'POST', {}, 'user=a&password=b'],
    ['none', 'JSON that is no JSON-RPC', 'POST', {}, '{"method":"ping"}'],
    ['none', 'a POST whose body is not known yet', 'POST', {}, undefined],
    ['none', 'a preflight', 'OPTIONS', { 'mcp-session-id': 's' }, undefined],
    ['none', 'a HEAD', 'HEAD', { accept: 'text/event-stream' }, undefined],
  ] as const)('%s: %s', (family, _, verb, headers, body) => {
    expect(classifyRequest(verb, headers, body)).toBe(family);
  });

  test('never throws', () => {
    const header = fc.option(fc.string(), { nil: undefined });
    fc.assert(
      fc.property(
        fc.string(),
        header,
        header,
        fc.oneof(fc.json(), fc.string()),
        (verb, accept, session, body) => {
          expect(['session', 'stateless', 'none']).toContain(
            classifyRequest(verb, { accept, 'mcp-session-id': session }, body),
          );
        },
      ),
      { seed: 42 },
    );
  });
});

describe('toolOf', () => {
  test.each([
    ['tools/call', { name: 'echo', uri: 'x' }, 'echo'],
    ['prompts/get', { name: 'greet' }, 'greet'],
    ['resources/read', { uri: 'test://a', name: 'x' }, 'test://a'],
    ['resources/subscribe', { uri: 'test://a' }, 'test://a'],
    ['notifications/resources/updated', { uri: 'test://a' }, 'test://a'],
    ['tools/list', { name: 'x' }, undefined],
    ['tools/call', { name: 7 }, undefined],
    ['tools/call', undefined, undefined],
    ['tools/call', ['echo'], undefined],
  ])('%s %j is about %s', (method, params, tool) => {
    const read = readMessages(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    expect(toolOf(read!.messages[0]!)).toBe(tool);
  });

  test('a response is about no tool', () => {
    expect(toolOf({ type: 'response', id: 1, result: { name: 'echo' } })).toBeUndefined();
  });
});
