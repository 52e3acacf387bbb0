/**
 * Every fault from the command line to the bytes on a raw socket (how a connection ends to the letter is in
 * `endings.test.ts`: a reader on Node may take a reset for a FIN). One proxy process holds
 * them all, each in a scope of its own; the upstream is a script, so that every byte is known.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../../src/faults/index.ts';
import { readFields } from '../../src/sse/fields.ts';
import { createFrameScanner } from '../../src/sse/scanner.ts';
import { type ProxyProcess, startProxyProcess } from './harness/proxy-process.ts';
import type { RawExchange } from './harness/raw-http.ts';
import { askMcp, beginSession, sessionOf } from './harness/raw-mcp.ts';
import { chunk, event, lastChunk, mcpScript, progress, result, sseHead } from './harness/scripted-mcp.ts';
import { end, type ScriptedServer, startScriptedServer } from './harness/scripted-server.ts';

/** What one exchange showed: status, frames as `id=content`, and how it ended: properly, in mid-body, or not. */
type Leg = readonly [status: number, frames: string, ending: 'whole' | 'cut' | 'open'];

interface Case {
  readonly fault: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly get?: true;
  /** A call that is left alone comes first. */
  readonly second?: true;
  /** The session id on the last head, where that is the point. */
  readonly session?: string | null;
  /** The call, or the stand-alone stream; then its resumption with the last whole id that was shown. */
  readonly legs: readonly Leg[];
}

/** Ids of a session's first POST stream count from 1000001, which is +1 here, of its second from 2000001, ++1. */
const cases: Readonly<Record<string, Case>> = {
  'drop-fin': {
    fault: 'drop-stream',
    params: { how: 'fin' },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'drop-reset': {
    fault: 'drop-stream',
    params: { how: 'reset' },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'drop-complete': {
    fault: 'drop-stream',
    params: { how: 'complete' },
    legs: [
      [200, '+1=prime +2=part1', 'whole'],
      [200, '+3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'drop-before-head': {
    fault: 'drop-stream',
    params: { where: 'before-head', how: 'reset' },
    legs: [[0, '', 'cut']],
  },
  'drop-before-first-frame': {
    fault: 'drop-stream',
    params: { where: 'before-first-frame' },
    legs: [[200, '', 'cut']],
  },
  'drop-before-first-id': {
    fault: 'drop-stream',
    params: { where: 'before-first-id', how: 'reset' },
    legs: [[200, '', 'cut']],
  },
  'drop-before-response': {
    fault: 'drop-stream',
    params: { where: 'before-response' },
    legs: [
      [200, '+1=prime +2=part1 +3=part2 +4=part3', 'cut'],
      [200, '+5=answer1', 'whole'],
    ],
  },
  'drop-after-response': {
    fault: 'drop-stream',
    params: { where: 'after-response' },
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'cut']],
  },
  'drop-get': {
    fault: 'drop-stream',
    params: { after: 1, how: 'reset' },
    get: true,
    legs: [
      [200, '1=prime', 'cut'],
      [200, '2=list_changed 3=list_changed', 'open'],
    ],
  },
  'cut-mid-event': {
    fault: 'cut-mid-event',
    legs: [
      [200, '+1=prime ~', 'cut'],
      [200, '+2=part1 +3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'stall-stream': { fault: 'stall-stream', legs: [[200, '+1=prime +2=part1', 'open']] },
  'flap-stream': {
    fault: 'flap-stream',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '', 'cut'],
      [200, '', 'cut'],
      [200, '+3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'restart-session': {
    fault: 'restart-session',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '1=prime 2=list_changed 3=list_changed', 'open'],
    ],
  },
  'expire-at-request': {
    fault: 'expire-session',
    legs: [
      [404, '', 'whole'],
      [404, '', 'whole'],
    ],
  },
  'expire-at-resume': {
    fault: 'expire-session',
    params: { at: 'resume' },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [404, '', 'whole'],
    ],
  },
  'refuse-session': { fault: 'refuse-session', params: { status: 410 }, legs: [[410, '', 'whole']] },
  'change-session-id': {
    fault: 'change-session-id',
    params: { id: 'mcp-chaos-another-session' },
    session: 'mcp-chaos-another-session',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'whole']],
  },
  'drop-session-id': {
    fault: 'drop-session-id',
    session: null,
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'whole']],
  },
  'regress-cursor': {
    fault: 'regress-cursor',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '17=message 18=message 19=message', 'open'],
    ],
  },
  'regress-8412': {
    fault: 'regress-cursor',
    params: { from: 8412 },
    legs: [
      [200, '8411=prime 8412=part1', 'cut'],
      [200, '17=message 18=message 19=message', 'open'],
    ],
  },
  'regress-get': {
    fault: 'regress-cursor',
    params: { after: 1 },
    get: true,
    legs: [
      [200, '1=prime', 'cut'],
      [200, '0=message 1=message 2=message', 'open'],
    ],
  },
  'skip-events': {
    fault: 'skip-events',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+4=part3 +5=answer1', 'whole'],
    ],
  },
  'skip-answer': {
    fault: 'skip-events',
    params: { over: 'answer' },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+6=message', 'open'],
    ],
  },
  'swallow-replay': {
    fault: 'swallow-replay',
    params: { next: 'silence' },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '', 'open'],
    ],
  },
  'swallow-then-fresh': {
    fault: 'swallow-replay',
    params: { next: 'fresh-ids' },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '1001002=message 1001003=message 1001004=message', 'open'],
    ],
  },
  'swallow-then-seamless': {
    fault: 'swallow-replay',
    params: { next: 'fresh-seamless' },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+3=message +4=message +5=message', 'open'],
    ],
  },
  'replay-from-start': {
    fault: 'replay-from-start',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'repeat-last-event': {
    fault: 'repeat-last-event',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+2=part1 +3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'replay-foreign-stream': {
    fault: 'replay-foreign-stream',
    second: true,
    legs: [
      [200, '++1=prime ++2=part1', 'cut'],
      [200, '+2=part1 +3=part2 +4=part3 +5=answer9', 'open'],
    ],
  },
  'reorder-replay': {
    fault: 'reorder-replay',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+5=answer1 +4=part3 +3=part2', 'whole'],
    ],
  },
  'diverge-replay': {
    fault: 'diverge-replay',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+3=message +4=message +5=message', 'open'],
    ],
  },
  'diverge-repeat': {
    fault: 'diverge-replay',
    params: { repeatLast: true },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [200, '+2=message +3=message +4=message +5=message', 'open'],
    ],
  },
  'refuse-resume': {
    fault: 'refuse-resume',
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [400, '', 'whole'],
    ],
  },
  'refuse-resume-204': {
    fault: 'refuse-resume',
    params: { status: 204 },
    legs: [
      [200, '+1=prime +2=part1', 'cut'],
      [204, '', 'open'],
    ],
  },
  'wrap-ids': {
    fault: 'wrap-ids',
    legs: [
      [200, '1=prime 0=part1', 'cut'],
      [200, '1=part2 0=part3 1=answer1', 'whole'],
    ],
  },
  'truncate-ids': {
    fault: 'truncate-ids',
    legs: [
      [200, '1=prime 1=part1', 'cut'],
      [200, '1=part1 1=part2 1=part3 1=answer1', 'whole'],
    ],
  },
  'strip-ids': { fault: 'strip-ids', legs: [[200, '-=prime -=part1', 'cut']] },
  'empty-id': { fault: 'empty-id', legs: [[200, '+1=prime =part1', 'cut']] },
  'collide-ids': {
    fault: 'collide-ids',
    legs: [[200, '+1=prime +2=part1 +2=part2 +4=part3 +5=answer1', 'whole']],
  },
  'collide-ids-other': {
    fault: 'collide-ids',
    params: { of: 'other' },
    second: true,
    legs: [[200, '++1=prime ++2=part1 +5=part2 ++4=part3 ++5=answer1', 'whole']],
  },
  'swallow-response': {
    fault: 'swallow-response',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3', 'open']],
  },
  'swallow-response-end': {
    fault: 'swallow-response',
    params: { next: 'complete' },
    legs: [
      [200, '+1=prime +2=part1 +3=part2 +4=part3', 'whole'],
      [200, '', 'whole'],
    ],
  },
  'swallow-notification': {
    fault: 'swallow-notification',
    params: { after: 1 },
    legs: [[200, '+1=prime +2=part1 +4=part3 +5=answer1', 'whole']],
  },
  'swallow-notification-seamless': {
    fault: 'swallow-notification',
    params: { after: 1, ids: 'seamless' },
    legs: [[200, '+1=prime +2=part1 +3=part3 +4=answer1', 'whole']],
  },
  'swallow-notification-get': {
    fault: 'swallow-notification',
    params: { which: 'state' },
    get: true,
    legs: [
      [200, '1=prime 3=list_changed', 'open'],
      [200, '', 'open'],
    ],
  },
  'duplicate-response': {
    fault: 'duplicate-response',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1 +5=answer1', 'whole']],
  },
  'misroute-response': {
    fault: 'misroute-response',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answermcp-chaos-unknown-1', 'whole']],
  },
  'garble-data': {
    fault: 'garble-data',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=garbled', 'whole']],
  },
  'refuse-get': { fault: 'refuse-get', get: true, legs: [[405, '', 'whole']] },
  'wrong-content-type': { fault: 'wrong-content-type', legs: [[200, '', 'whole']] },
  'accept-request': { fault: 'accept-request', legs: [[202, '', 'whole']] },
  busy: { fault: 'busy', legs: [[503, '', 'whole']] },
  'crlf-lines': {
    fault: 'crlf-lines',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'whole']],
  },
  'crlf-cut-in-data': {
    fault: 'crlf-lines',
    params: { cutMs: 20, cutAt: 'data' },
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'whole']],
  },
  'empty-events': {
    fault: 'empty-events',
    legs: [
      [
        200,
        '-=prime +1=prime -=prime +2=part1 -=prime +3=part2 -=prime +4=part3 -=prime +5=answer1',
        'whole',
      ],
    ],
  },
  'strip-event-names': {
    fault: 'strip-event-names',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'whole']],
  },
  'keep-alive-comments': {
    fault: 'keep-alive-comments',
    legs: [
      [
        200,
        '-=none -=none -=none +1=prime -=none -=none -=none +2=part1 -=none -=none -=none +3=part2 -=none -=none -=none +4=part3 -=none -=none -=none +5=answer1',
        'whole',
      ],
    ],
  },
  'hint-retry': {
    fault: 'hint-retry',
    legs: [
      [200, '+1=prime +2=part1 -=none', 'whole'],
      [200, '+3=part2 +4=part3 +5=answer1', 'whole'],
    ],
  },
  'slow-drip': {
    fault: 'slow-drip',
    legs: [[200, '+1=prime +2=part1 +3=part2 +4=part3 +5=answer1', 'whole']],
  },
};

let folder: string;
let server: ScriptedServer;
let proxy: ProxyProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-faults-'));
  server = await startScriptedServer(
    mcpScript({
      call: ({ json }) => [
        sseHead(),
        chunk(event('u1')),
        ...[1, 2, 3].map((part, i) => chunk(event(`u${i + 2}`, progress('t', part)))),
        chunk(event('u5', result(json!.id))),
        lastChunk,
      ],
      get: () => [
        sseHead(),
        chunk(event('g1')),
        chunk(event('g2', changed)),
        chunk(event('g3', changed)),
        end('stall'),
      ],
    }),
  );
  const rules = Object.entries(cases).map(([scope, { fault, params = {}, get, second }]) => ({
    fault,
    params,
    when: { method: get === true ? 'GET' : 'tools/call', scope },
    ...(second === true ? { nth: 2 } : { chance: 1 }),
  }));
  const profile = join(folder, 'all.yaml');
  // JSON is YAML.
  writeFileSync(
    profile,
    JSON.stringify({
      name: 'all',
      description: 'Every fault once.',
      contract: 'monotonic:stream',
      sessionFaults: 0.5,
      rules,
    }),
  );
  proxy = await startProxyProcess([
    '--profile',
    profile,
    '--seed',
    '1',
    '--upstream',
    server.url,
    '--journal',
    join(folder, 'journal.ndjson'),
  ]);
});

afterAll(async () => {
  await proxy?.stop();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

/** Quiet for this long = nothing more will come; only `open` rests on it, and it is the slow answer. */
const quietMs = 700;

async function leg(exchange: RawExchange): Promise<{
  readonly seen: Leg;
  readonly cursor: string | undefined;
  readonly session: string | undefined;
}> {
  await exchange.until(({ body, status }) => status() !== 0 && body().whole, quietMs).catch(() => {});
  const whole = exchange.status() !== 0 && exchange.body().whole;
  const ending = whole ? 'whole' : (await exchange.ending(100)) === 'open' ? 'open' : 'cut';
  const { bytes } = exchange.body();
  const scanner = createFrameScanner();
  const frames = scanner.push(bytes).map((raw) => readFields(raw));
  const rest = scanner.end();
  const sse = exchange
    .headers()
    .some(([name, value]) => name.toLowerCase() === 'content-type' && value.startsWith('text/event-stream'));
  const shown = sse
    ? [...frames.map(({ id, data }) => `${shortId(id)}=${content(data)}`), ...(rest.length > 0 ? ['~'] : [])]
    : [];
  const session = sessionOf(exchange);
  exchange.close();
  return {
    seen: [exchange.status(), shown.join(' '), ending],
    cursor: frames.findLast(({ id }) => id !== undefined && id !== '')?.id,
    session,
  };
}

function shortId(id: string | undefined): string {
  if (id === undefined) return '-';
  return id.replace(/^([12])0000*(?=[1-9]\d*$)/, (_, million) => (million === '1' ? '+' : '++'));
}

function content(data: string | undefined): string {
  if (data === undefined) return 'none';
  if (data === '') return 'prime';
  const message = parse(data);
  if (message === undefined) return 'garbled';
  if (message.method === 'notifications/progress') return `part${message.params?.progress}`;
  return message.method?.split('/').at(-1) ?? `answer${message.id}`;
}

function parse(data: string): { method?: string; id?: unknown; params?: { progress?: number } } | undefined {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

describe.each(Object.entries(cases))('%s', (scope, { get, second, legs, session: shownSession }) => {
  it('shows exactly this', async () => {
    const { port } = proxy;
    const session = await beginSession(port, scope);
    const call = (id: number): RawExchange =>
      askMcp({
        port,
        scope,
        session,
        message: { id, method: 'tools/call', params: { name: 'x', arguments: {} } },
      });
    if (second === true) await leg(call(9));
    const first = get === true ? askMcp({ port, scope, session }) : call(1);
    const seen: Leg[] = [];
    let last = await leg(first);
    seen.push(last.seen);
    let cursor = last.cursor;
    while (seen.length < legs.length) {
      last = await leg(askMcp({ port, scope, session, cursor }));
      cursor = last.cursor ?? cursor;
      seen.push(last.seen);
    }
    expect(seen).toEqual(legs);
    if (shownSession !== undefined) expect(last.session ?? null).toBe(shownSession);
  });
});

it('every fault is here that does not end the upstream of all others (managed-upstream.test.ts)', () => {
  expect(new Set(Object.values(cases).map(({ fault }) => fault))).toEqual(
    new Set(faults.filter(({ needs }) => needs === undefined).map(({ name }) => name)),
  );
});
