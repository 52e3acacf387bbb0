/** The faults of HTTP, pacing and framing. */
import { describe, expect, test } from 'vitest';
import type { Effect } from '../../src/faults/effect.ts';
import type { StoredFrame } from '../../src/faults/fault.ts';
import { createFrameScanner } from '../../src/sse/scanner.ts';
import {
  atFrame,
  atHead,
  atRequest,
  bind,
  bytes,
  firstAttempt,
  inWords,
  short,
  stream,
  text,
} from './stream.ts';

test.each([429, 503])('busy: %i with Retry-After, in place of upstream', (status) => {
  const effects = bind('busy', { status, retryAfterS: 3 }).plan(atRequest());
  expect(effects).toMatchObject([{ do: 'respond', status, headers: { 'retry-after': '3' } }]);
});

test('accept-request: 202 and no body', () => {
  expect(bind('accept-request').plan(atRequest())).toEqual([
    { do: 'respond', status: 202, headers: {}, body: '' },
  ]);
});

test.each(['busy', 'accept-request', 'refuse-get'])('%s leaves resumptions alone', (name) => {
  expect(inWords(bind(name).plan(atRequest({ channel: 'GET', method: 'GET' }, 1)))).toBe('passes');
});

describe('wrong-content-type', () => {
  test('labels a stream as something else', () => {
    expect(firstAttempt(bind('wrong-content-type'), short)).toEqual([
      'head {"content-type":"text/html"}',
      '1001 as it is',
      '1002 as it is',
    ]);
  });

  test('a JSON answer keeps its label', () => {
    expect(inWords(bind('wrong-content-type').plan(atHead({}, false)))).toBe('passes');
  });
});

describe('refuse-get', () => {
  test.each([
    [405, true, 'none', 'POST, DELETE'],
    [409, false, 'definite', undefined],
  ])('%i: control %s', (status, control, level, allow) => {
    const fault = bind('refuse-get', { status });
    const [effect] = fault.plan(atRequest({ channel: 'GET', method: 'GET' }))!;
    expect(effect).toMatchObject({ do: 'respond', status });
    expect(effect?.do === 'respond' && effect.headers.allow).toBe(allow);
    expect([fault.control, fault.detectability.level]).toEqual([control, level]);
  });

  test('calls go on', () => {
    expect(inWords(bind('refuse-get').plan(atRequest()))).toBe('passes');
  });
});

/** What a reader gets, pieces put together. */
function shown(effects: readonly Effect[] | undefined): string {
  return (effects ?? []).map((effect) => (effect.do === 'send' ? text(effect.raw) : '')).join('');
}

describe('crlf-lines', () => {
  const mixed: StoredFrame = {
    ...stream[1]!,
    index: 0,
    raw: bytes('id: 1\r\ndata: a\rdata: b\n\n'),
  };

  test.each([
    ['crlf', 'id: 1\r\ndata: a\r\ndata: b\r\n\r\n'],
    ['cr', 'id: 1\rdata: a\rdata: b\r\r'],
  ])('%s: every line end, whatever it was', (ends, expected) => {
    expect(shown(bind('crlf-lines', { ends }).plan(atFrame([mixed], 0)))).toBe(expected);
  });

  test('a CRLF cut in two, with a pause', () => {
    expect(inWords(bind('crlf-lines', { cutMs: 60 }).plan(atFrame([mixed], 0)))).toEqual([
      'send "id: 1\\r"',
      'wait 60',
      'send (no id) a\nb',
    ]);
  });

  test('the JSON over two data lines, cut between them: the same event', () => {
    const json: StoredFrame = {
      ...mixed,
      raw: bytes('id: 1\ndata: {"a,\\"b":"c,d","e":[1,2]}\n\n'),
    };
    const effects = bind('crlf-lines', { cutMs: 60, cutAt: 'data' }).plan(atFrame([json], 0));
    expect(effects?.map((effect) => (effect.do === 'send' ? text(effect.raw) : effect.do))).toEqual([
      'id: 1\r\ndata: {"a,\\"b":"c,d",\r',
      'wait',
      '\ndata: "e":[1,2]}\r\n\r\n',
    ]);
  });

  test('data without a place to break is cut at its line end', () => {
    const effects = bind('crlf-lines', { cutMs: 60, cutAt: 'data' }).plan(atFrame([mixed], 0));
    expect(shown(effects)).toBe('id: 1\r\ndata: a\r\ndata: b\r\n\r\n');
    expect(inWords(effects)).toHaveLength(3);
  });

  test('CR alone cannot be cut', () => {
    expect(inWords(bind('crlf-lines', { ends: 'cr', cutMs: 60 }).plan(atFrame([mixed], 0)))).toHaveLength(1);
  });
});

describe('keep-alive-comments', () => {
  test('before every event, with pauses where asked for', () => {
    expect(inWords(bind('keep-alive-comments', { comments: 1 }).plan(atFrame(stream, 2)))).toEqual([
      'send ": keep-alive\\n\\n"',
      'pass',
    ]);
    expect(inWords(bind('keep-alive-comments', { comments: 2, gapMs: 5 }).plan(atFrame(stream, 2)))).toEqual([
      'send ": keep-alive\\n\\n"',
      'wait 5',
      'send ": keep-alive\\n\\n"',
      'wait 5',
      'pass',
    ]);
  });
});

test('empty-events: before every event, one without an id and without a word', () => {
  expect(inWords(bind('empty-events', { events: 2 }).plan(atFrame(stream, 2)))).toEqual([
    'send (no id) priming',
    'send (no id) priming',
    'pass',
  ]);
});

test.each([
  ['event: message\nid: 1\ndata: a\n\n', 'id: 1\ndata: a\n\n'],
  ['id: 1\r\nevent: message\r\ndata: event: b\r\n\r\n', 'id: 1\r\ndata: event: b\r\n\r\n'],
  ['data: a\n\n', 'data: a\n\n'],
])('strip-event-names: %j loses its name and nothing else', (raw, expected) => {
  const frame: StoredFrame = { ...stream[1]!, index: 0, raw: bytes(raw) };
  expect(shown(bind('strip-event-names').plan(atFrame([frame], 0)))).toBe(expected);
});

describe('slow-drip', () => {
  test('every byte in order, in pieces', () => {
    const effects = bind('slow-drip', { bytes: 7, gapMs: 1 }).plan(atFrame(stream, 1))!;
    expect(shown(effects)).toBe(text(stream[1]!.raw));
    expect(effects.filter(({ do: what }) => what === 'send')).toHaveLength(
      Math.ceil(stream[1]!.raw.byteLength / 7),
    );
    expect(effects.filter(({ do: what }) => what === 'wait')).toHaveLength(
      Math.ceil(stream[1]!.raw.byteLength / 7),
    );
  });

  test('a large event is not sent byte by byte for ever', () => {
    const raw = bytes(`data: ${'x'.repeat(100_000)}\n\n`);
    const effects = bind('slow-drip', { bytes: 1, gapMs: 0 }).plan(
      atFrame([{ ...stream[1]!, index: 0, raw }], 0),
    )!;
    expect(effects.length).toBeLessThanOrEqual(200);
    expect(shown(effects)).toBe(text(raw));
  });

  test('is one event to a reader', () => {
    const scanner = createFrameScanner();
    const frames = bind('slow-drip', { bytes: 1 })
      .plan(atFrame(stream, 1))!
      .flatMap((effect) => (effect.do === 'send' ? scanner.push(effect.raw) : []));
    expect(frames.map(text)).toEqual([text(stream[1]!.raw)]);
  });
});
