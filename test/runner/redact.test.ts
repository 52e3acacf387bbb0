import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FactBody } from '../../src/history/fact.ts';
import { fromWire, toWire } from '../../src/history/wire-bytes.ts';
import { createJsonMasker } from '../../src/runner/mask-json.ts';
import { createSseMasker } from '../../src/runner/mask-sse.ts';
import { createRedaction } from '../../src/runner/redact.ts';

const key = new Uint8Array(16).fill(7);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const maskText = (text: string): string => textOf(createJsonMasker(key).mask(bytesOf(text)));

describe('masked JSON', () => {
  test('keeps structure, ids and methods, and hides every other value', () => {
    const message = {
      jsonrpc: '2.0',
      id: 'call-7',
      method: 'tools/call',
      params: {
        name: 'charge',
        arguments: {
          name: 'Ann "the\u2603" \\ x',
          id: 42,
          amount: -12.5e3,
          ok: true,
          none: null,
          list: ['a', 'b', 'a'],
        },
        _meta: { progressToken: 9, trace: 'secret' },
      },
    };
    const masked = JSON.parse(maskText(JSON.stringify(message))) as typeof message;
    expect(masked).toMatchObject({ jsonrpc: '2.0', id: 'call-7', method: 'tools/call' });
    expect(masked.params.name).toBe('charge');
    expect(masked.params._meta.progressToken).toBe(9);
    const given = masked.params.arguments;
    expect(Object.keys(given)).toEqual(Object.keys(message.params.arguments));
    expect(given.name).toMatch(/^[\w-]+$/);
    expect(given.id).not.toBe(42);
    expect(given).toMatchObject({ ok: true, none: null });
    expect(given.list[0]).toBe(given.list[2]);
    expect(given.list[0]).not.toBe(given.list[1]);
    expect(masked.params._meta.trace).not.toBe('secret');
  });

  test('reaches into batches and answers', () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'private' }] } },
      { id: 2, error: { code: -32602, message: 'private' } },
    ];
    const text = maskText(JSON.stringify(batch));
    expect(text).not.toContain('private');
    expect(JSON.parse(text)).toMatchObject([{ id: 1 }, { id: 2, error: { code: -32602 } }]);
  });

  test('has the length of what it masks and stays valid JSON, for any value', () => {
    fc.assert(
      fc.property(fc.json(), (value) => {
        const text = JSON.stringify({ params: { arguments: JSON.parse(value) as unknown } });
        const masked = createJsonMasker(key).mask(bytesOf(text));
        expect(masked.byteLength).toBe(bytesOf(text).byteLength);
        expect(() => JSON.parse(textOf(masked)) as unknown).not.toThrow();
      }),
      { seed: 42, numRuns: 300 },
    );
  });

  test('lets nothing through that is not JSON', () => {
    expect(maskText('<p>my secret word</p>')).not.toMatch(/secret|word/);
  });
});

describe('masked event streams', () => {
  const stream =
    '\ufeffid: 7\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress",\r\ndata: "params":{"message":"private \u2603"}}\r\n\r\n: note\n\nretry: 5\ndata: {"id":1,"result":{"a":"private"}}\n\n';

  test('keep fields and line ends, and hide data and comments', () => {
    const masked = textOf(createSseMasker(key).mask(bytesOf(stream)));
    expect(masked).not.toMatch(/private|note/);
    expect(masked.replace(/[^\r\n]/g, '')).toBe(stream.replace(/[^\r\n]/g, ''));
    expect(masked).toContain(
      'id: 7\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress",\r\n',
    );
    expect(masked).toContain('retry: 5\ndata: {"id":1,"result":{"a":"');
  });

  test('are the same whatever the cuts', () => {
    const whole = createSseMasker(key).mask(bytesOf(stream));
    fc.assert(
      fc.property(fc.array(fc.nat(bytesOf(stream).length), { maxLength: 8 }), (cuts) => {
        const masker = createSseMasker(key);
        const at = [0, ...cuts.sort((a, b) => a - b), bytesOf(stream).length];
        const pieces = at.slice(1).map((to, index) => masker.mask(bytesOf(stream).slice(at[index], to)));
        expect(Buffer.concat(pieces)).toEqual(Buffer.from(whole));
      }),
      { seed: 42, numRuns: 200 },
    );
  });
});

describe('redacted facts', () => {
  test('bodies are masked, everything else is as it was', () => {
    const redact = createRedaction();
    const head: FactBody = {
      kind: 'head',
      exchange: 1,
      side: 'both',
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
    };
    expect(redact(head)).toEqual(head);
    const facts = ['data: {"id":1,"result":{"t":"pri', 'vate"}}\n\n'].map(
      (text) =>
        redact({ kind: 'bytes', exchange: 1, side: 'both', body: toWire(bytesOf(text)) }) as Extract<
          FactBody,
          { kind: 'bytes' }
        >,
    );
    const text = facts.map(({ body }) => textOf(fromWire(body))).join('');
    expect(text).toMatch(/^data: \{"id":1,"result":\{"t":"[\w-]{7}"\}\}\n\n$/);
    expect(text).not.toContain('private');
  });

  test('the same message is masked alike in another stream, so that it can be known again', () => {
    const redact = createRedaction();
    const body = toWire(bytesOf('{"id":1,"result":{"t":"private"}}'));
    const [a, b] = [1, 2].map((exchange) => redact({ kind: 'bytes', exchange, side: 'client', body }));
    expect(a).toEqual({ ...b, exchange: 1 });
  });

  test('queries in paths are hidden', () => {
    const request: FactBody = {
      kind: 'request',
      exchange: 1,
      connection: 1,
      upstream: 'u',
      scope: 'main',
      lane: 's1',
      verb: 'GET',
      path: '/mcp?key=private',
      headers: {},
      mcp: true,
    };
    expect(redactPath(request)).toBe('/mcp?…');
  });
});

function redactPath(body: FactBody): string {
  return (createRedaction()(body) as Extract<FactBody, { kind: 'request' }>).path;
}
