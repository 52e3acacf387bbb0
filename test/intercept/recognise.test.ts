import { describe, expect, it } from 'vitest';
import { createRecogniser, isLoopback } from '../../src/intercept/recognise.cjs';

const url = 'http://127.0.0.1:3000/mcp';
const both = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const initialize = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}';

function sighting(verb: string, headers: Record<string, string>, body?: string, at = url) {
  return { verb, url: at, header: (name: string) => headers[name], body };
}

describe('Streamable HTTP is known by what it is', () => {
  it.each([
    ['initialize', sighting('POST', both, initialize)],
    ['a POST whose body is not at hand', sighting('POST', both)],
    ['spaces in the JSON', sighting('POST', both, '{ "jsonrpc" : "2.0" }')],
    [
      'a parameter in the type',
      sighting('POST', { ...both, 'content-type': 'application/json; charset=utf-8' }),
    ],
    [
      'a session that forgets Accept',
      sighting('POST', { 'content-type': 'application/json', 'mcp-session-id': 'a' }),
    ],
    [
      '2026-07-28',
      sighting('POST', { 'content-type': 'application/json', 'mcp-method': 'tools/call' }, initialize),
    ],
    ['the stand-alone stream', sighting('GET', { accept: 'text/event-stream', 'mcp-session-id': 'a' })],
    ['the end of a session', sighting('DELETE', { 'mcp-session-id': 'a' })],
  ])('%s', (_what, seen) => {
    expect(createRecogniser()(seen)).toBe(true);
  });

  it.each([
    ['a page', sighting('GET', { accept: 'text/html' })],
    ['another event stream', sighting('GET', { accept: 'text/event-stream' })],
    [
      'other JSON-RPC',
      sighting('POST', { accept: 'application/json', 'content-type': 'application/json' }, initialize),
    ],
    ['other JSON over SSE', sighting('POST', both, '{"model":"x","stream":true}')],
    ['a form', sighting('POST', { ...both, 'content-type': 'application/x-www-form-urlencoded' })],
    // 2024-11-05, HTTP with SSE: the published client names its revision here too.
    [
      'the older transport',
      sighting(
        'POST',
        { 'content-type': 'application/json', 'mcp-protocol-version': '2025-03-26' },
        initialize,
      ),
    ],
    ['an unknown verb', sighting('PUT', { ...both, 'mcp-session-id': 'a' })],
  ])('and not %s', (_what, seen) => {
    expect(createRecogniser()(seen)).toBe(false);
  });

  it('a stream without a session, where MCP was posted before', () => {
    const isMcp = createRecogniser();
    const stream = (at: string) => isMcp(sighting('GET', { accept: 'text/event-stream' }, undefined, at));
    expect(stream(url)).toBe(false);
    isMcp(sighting('POST', both, initialize));
    expect(stream(url)).toBe(true);
    expect(stream('http://127.0.0.1:3000/events')).toBe(false);
  });
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['::1', true],
  ['127.0.0.1.example', false],
  ['0.0.0.0', true],
  ['[::]', true],
  ['10.0.0.1', false],
])('%s is this machine: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
