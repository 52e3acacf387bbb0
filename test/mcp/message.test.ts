import { describe, expect, test } from 'vitest';
import { readMessages } from '../../src/mcp/message.ts';

const read = (json: unknown) => readMessages(JSON.stringify(json));

describe('messages', () => {
  test.each([
    [
      'a request',
      { id: 1, method: 'tools/call', params: { name: 'a' } },
      { type: 'request', id: 1, method: 'tools/call', params: { name: 'a' } },
    ],
    [
      'a request without params',
      { id: 'x', method: 'ping' },
      { type: 'request', id: 'x', method: 'ping', params: undefined },
    ],
    [
      'a request with id 0',
      { id: 0, method: 'ping' },
      { type: 'request', id: 0, method: 'ping', params: undefined },
    ],
    [
      'a notification',
      { method: 'notifications/initialized' },
      { type: 'notification', method: 'notifications/initialized', params: undefined },
    ],
    ['a result', { id: 1, result: { ok: true } }, { type: 'response', id: 1, result: { ok: true } }],
    ['a null result', { id: 1, result: null }, { type: 'response', id: 1, result: null }],
    [
      'an error',
      { id: 1, error: { code: -32601, message: 'no', data: [1] } },
      { type: 'response', id: 1, error: { code: -32601, message: 'no', data: [1] } },
    ],
    [
      'an error without an id, as for a refused notification',
      { error: { code: -32000, message: 'no' } },
      { type: 'response', id: null, error: { code: -32000, message: 'no' } },
    ],
    [
      'an error for nobody',
      { id: null, error: { code: -32700, message: 'no' } },
      { type: 'response', id: null, error: { code: -32700, message: 'no' } },
    ],
    [
      'a malformed error, which still answers',
      { id: 1, error: {} },
      { type: 'response', id: 1, error: { code: 0, message: '' } },
    ],
    [
      'a result and an error at once',
      { id: 1, result: 1, error: { code: 1, message: 'no' } },
      { type: 'response', id: 1, result: 1, error: { code: 1, message: 'no' } },
    ],
  ])('%s', (_, message, expected) => {
    expect(read({ jsonrpc: '2.0', ...message })).toEqual({ messages: [expected], batch: false });
  });

  test.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['a number', '1'],
    ['null', 'null'],
    ['no version', '{"id":1,"method":"ping"}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['neither method, result nor error', '{"jsonrpc":"2.0","id":1}'],
    ['a request for nobody, which MCP forbids', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a result for nobody', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['an id that is no id', '{"jsonrpc":"2.0","id":{},"result":{}}'],
    ['an error that is no object', '{"jsonrpc":"2.0","id":1,"error":"no"}'],
    ['an empty batch', '[]'],
    ['a batch of nothing', '[1,[],{}]'],
  ])('%s is not JSON-RPC', (_, text) => {
    expect(readMessages(text)).toBeUndefined();
  });

  test('a batch keeps its order and leaves out what is no message', () => {
    const batch = read([{ jsonrpc: '2.0', id: 2, method: 'ping' }, 7, { jsonrpc: '2.0', method: 'n' }]);
    expect(batch).toEqual({
      messages: [
        { type: 'request', id: 2, method: 'ping', params: undefined },
        { type: 'notification', method: 'n', params: undefined },
      ],
      batch: true,
    });
  });

  test('a batch of one is a batch, for its answer is one too', () => {
    expect(read([{ jsonrpc: '2.0', id: 1, method: 'ping' }])?.batch).toBe(true);
  });
});
