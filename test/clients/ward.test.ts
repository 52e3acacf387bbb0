/**
 * The ward's clients are the truth that the watcher is measured against, so each is measured first: healthy
 * against the embedded server, and in its one known behaviour against an upstream that breaks by script.
 */
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { startEmbeddedServer } from '../../src/upstream/embedded.ts';
import {
  chunk,
  empty,
  end,
  event,
  lastChunk,
  type McpScripts,
  mcpScript,
  progress,
  result,
  silentStream,
  sseHead,
} from '../e2e/harness/scripted-mcp.ts';
import {
  type Script,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
  type write,
} from '../e2e/harness/scripted-server.ts';
import { clients, flaws } from './matrix.ts';
import { type ClientRun, runClient } from './run-client.ts';

const core = ['base.mjs', 'flawed.mjs', 'renewing.mjs', 'run.mjs', 'settings.mjs', 'sse.mjs', 'watchful.mjs'];
const slugs = readdirSync(new URL('ward/', import.meta.url))
  // `flawed` is many clients in one; what each of its flaws is good for is proven with the matrix.
  .filter((name) => !core.includes(name) && name !== 'flawed.mjs')
  .map((name) => name.replace('.mjs', ''));

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('every client, healthy', () => {
  it.concurrent.each(slugs)('%s gets all its answers from a server that does nothing wrong', async (slug) => {
    const healthy = await startEmbeddedServer();
    try {
      const { code, said } = await runClient(`ward/${slug}.mjs`, { MCP_CHAOS_URL: healthy.url, MARKS: '1' });
      expect(said?.calls.map(({ ok }) => ok)).toEqual([true, true, true]);
      expect(said).toMatchObject({ client: slug, noticed: [] });
      // To the stubborn client a moment's silence on a busy machine is a break.
      if (slug !== 'stubborn') expect(said?.resumes).toBe(0);
      expect(code).toBe(0);
    } finally {
      await healthy.close();
    }
  });

  it.concurrent.each(flaws)('flawed, %s: so does it', async (flaw) => {
    const healthy = await startEmbeddedServer();
    try {
      const env = { MCP_CHAOS_URL: healthy.url, FLAW: flaw };
      const { code, said } = await runClient('ward/flawed.mjs', env);
      expect(said?.calls.map(({ ok }) => ok)).toEqual([true, true, true]);
      expect([code, said?.sessions, said?.noticed]).toEqual([0, 1, []]);
    } finally {
      await healthy.close();
    }
  });

  it('knows all that the watcher is to be proven on', () => {
    // `trusting` errs only where two faults meet, and a cell of the matrix has one: a sweep is to find it.
    const rows = slugs.filter((slug) => slug !== 'trusting');
    expect(rows).toHaveLength(21);
    expect(new Set(clients.map(({ file }) => file))).toEqual(
      new Set([...rows.map((slug) => `${slug}.mjs`), 'flawed.mjs']),
    );
  });
});

// — an upstream whose first call breaks after one part, and whose later calls are well —

const retryMs = 300;
const retry = `retry: ${retryMs}\n`;
const token = (request: ScriptedRequest) =>
  (request.json?.params?._meta as { progressToken: unknown })?.progressToken;

function whole(first: number): Script {
  return (request) => [
    sseHead(),
    chunk(event(String(first))),
    chunk(event(String(first + 1), progress(token(request), 1))),
    chunk(event(String(first + 2), result(request.json?.id))),
    lastChunk,
  ];
}

/** Ids 101 and 102 arrive, then the connection goes. */
const broken: Script = (request) => [
  sseHead(),
  chunk(`${retry}${event('101')}`),
  chunk(event('102', progress(token(request), 1))),
  end('fin'),
];

interface Breaking extends Omit<McpScripts, 'resume'> {
  readonly first?: Script;
  /** Told the request that the broken call was made with, and the how-many-th resume this is, from 1. */
  readonly resume?: (call: ScriptedRequest, attempt: number) => ReturnType<Script>;
}

async function breaking({ first = broken, resume, ...rest }: Breaking = {}): Promise<ScriptedServer> {
  let call: ScriptedRequest | undefined;
  let calls = 0;
  let resumes = 0;
  server = await startScriptedServer(
    mcpScript({
      get: silentStream,
      ...rest,
      call: (request) => {
        calls += 1;
        if (calls > 1) return whole(calls * 1000)(request);
        call = request;
        return first(request);
      },
      resume: () => {
        resumes += 1;
        return resume?.(call!, resumes) ?? empty(405);
      },
    }),
  );
  return server;
}

const coherent = (call: ScriptedRequest) => [
  sseHead(),
  chunk(event('103', progress(token(call), 2))),
  chunk(event('104', result(call.json?.id))),
  lastChunk,
];
const regressed = (call: ScriptedRequest) => [
  sseHead(),
  chunk(event('17', progress(token(call), 2))),
  chunk(event('18', progress(token(call), 3))),
  end('stall'),
];

async function admit(
  slug: string,
  { url }: ScriptedServer,
  env: Record<string, string> = {},
): Promise<ClientRun> {
  return runClient(`ward/${slug}.mjs`, {
    MCP_CHAOS_URL: url,
    MCP_CHAOS_CONTRACT: 'monotonic:stream',
    CALLS: '2',
    TIMEOUT_MS: '1500',
    IDLE_MS: '250',
    HANG_MS: '2000',
    GIVE_UP_MS: '800',
    ...env,
  });
}

const sent = ({ requests }: ScriptedServer, method: string) =>
  requests.filter(({ verb, json }) => verb === method || json?.method === method);
const resumesOf = ({ requests }: ScriptedServer) =>
  requests.filter(({ verb, headers }) => verb === 'GET' && headers['last-event-id'] !== undefined);
const sessionsOf = (requests: readonly ScriptedRequest[]) =>
  requests.map(({ headers }) => headers['mcp-session-id']);
const outcomes = (run: ClientRun) =>
  run.said?.calls.map(({ ok, error }) => (ok ? 'ok' : error?.split(':')[0]));

describe('resumed into a regressed cursor', () => {
  it.each(['careful', 'no-get', 'polite', 'blind-404'])(
    '%s initializes without the old id, calls again, and both calls resolve',
    async (slug) => {
      const upstream = await breaking({ resume: regressed });
      const run = await admit(slug, upstream);
      expect(outcomes(run)).toEqual(['ok', 'ok']);
      expect(run.said?.noticed).toEqual(['cursor regression: 17 after 102']);
      expect(sessionsOf(sent(upstream, 'initialize')).every((id) => id === undefined)).toBe(true);
      expect(sessionsOf(sent(upstream, 'tools/call')).slice(0, 2)).toEqual(['session-1', 'session-2']);
      expect(sent(upstream, 'notifications/cancelled')).toEqual([]);
    },
  );

  it('transparent does so without a ping and without a mark', async () => {
    const upstream = await breaking({ resume: (call) => [...regressed(call)] });
    const run = await admit('transparent', upstream, { MARKS: '1', MCP_CHAOS_CONTROL: upstream.origin });
    expect(outcomes(run)).toEqual(['ok', 'ok']);
    expect(sent(upstream, 'ping')).toEqual([]);
    expect(upstream.requests.filter(({ path }) => path === '/mark')).toEqual([]);
  });

  it('loud rejects the call at once, by name, and goes on in its session', async () => {
    const upstream = await breaking({ resume: regressed });
    const run = await admit('loud', upstream);
    expect(outcomes(run)).toEqual(['StreamEpochDesyncError', 'ok']);
    expect(run.said!.calls[0]!.ms).toBeLessThan(1400);
    expect(sessionsOf(sent(upstream, 'tools/call'))).toEqual(['session-1', 'session-1']);
  });

  it.each(['deaf', 'flatterer', 'greedy', 'half-event', 'forgetful', 'stormy'])(
    '%s notices nothing and is woken by its own timeout',
    async (slug) => {
      const upstream = await breaking({ resume: regressed });
      const run = await admit(slug, upstream);
      expect(outcomes(run)).toEqual(['TimeoutError', 'ok']);
      expect(run.said!.calls[0]!.ms).toBeGreaterThanOrEqual(1495);
      expect(sent(upstream, 'notifications/cancelled')).toHaveLength(1);
      expect(sent(upstream, 'initialize')).toHaveLength(1);
    },
  );

  it('flatterer praises itself all the same', async () => {
    const upstream = await breaking({ resume: regressed });
    await admit('flatterer', upstream, { MCP_CHAOS_CONTROL: upstream.origin });
    const marks = upstream.requests
      .filter(({ path }) => path === '/mark')
      .map(({ body }) => JSON.parse(body));
    expect(marks.slice(0, 2)).toEqual([
      { phase: 'started', tool: 'count', requestId: 3 },
      { phase: 'rejected', tool: 'count', requestId: 3, error: expect.stringContaining('Desync') },
    ]);
  });

  it('torn down: its runner gives up first, deletes the session and exits with 1', async () => {
    const upstream = await breaking({ resume: regressed });
    const run = await admit('torn-down', upstream);
    expect(run.code).toBe(1);
    expect(sent(upstream, 'DELETE')).toHaveLength(1);
    expect(sent(upstream, 'notifications/cancelled')).toEqual([]);
    expect(sent(upstream, 'tools/call')).toHaveLength(1);
  });

  it('torn down, with a next test: another client initializes in the same process', async () => {
    const upstream = await breaking({ resume: regressed });
    expect(outcomes(await admit('torn-down', upstream, { AGAIN: '1' }))).toEqual(['GaveUp', 'ok']);
    expect(sent(upstream, 'initialize')).toHaveLength(2);
  });

  it('polite and deaf: its session ends only after its timeout, with nothing pending', async () => {
    const upstream = await breaking({ resume: regressed });
    expect(outcomes(await admit('polite', upstream, { DEAF: '1' }))).toEqual(['TimeoutError', 'ok']);
    const order = upstream.requests.map(({ verb, json }) => json?.method ?? verb);
    expect(order.indexOf('DELETE')).toBeGreaterThan(order.indexOf('notifications/cancelled'));
  });

  it('hanging hangs, cancels nothing, and exits with 0 when it is left', async () => {
    const upstream = await breaking({ resume: regressed });
    const run = await admit('hanging', upstream);
    expect([run.code, run.said?.calls[0]?.ok]).toEqual([0, false]);
    expect(sent(upstream, 'notifications/cancelled')).toEqual([]);
    expect(resumesOf(upstream)).toHaveLength(1);
  });

  it('slow does not even resume', async () => {
    const upstream = await breaking({ resume: regressed });
    expect(outcomes(await admit('slow', upstream))).toEqual(['TimeoutError', 'ok']);
    expect(resumesOf(upstream)).toEqual([]);
  });

  it('stubborn resumes again and again, at a decent pace, until it is left', async () => {
    const upstream = await breaking({ resume: regressed });
    expect((await admit('stubborn', upstream)).code).toBe(0);
    const times = resumesOf(upstream).map(({ at }) => at);
    expect(times.length).toBeGreaterThanOrEqual(2);
    expect(times.slice(1).every((time, index) => time - times[index]! >= 100)).toBe(true);
  });
});

describe('resumed coherently', () => {
  const resuming = slugs.filter(
    (slug) => !['no-resume', 'no-cursor', 'jumpy', 'crashing', 'double', 'slow', 'stormy'].includes(slug),
  );
  it.concurrent.each(resuming)(
    '%s resumes once with its cursor, not before `retry`, and gets the answer',
    async (slug) => {
      const calls: ScriptedRequest[] = [];
      const upstream = await startScriptedServer(
        mcpScript({
          get: silentStream,
          call: (request) => {
            calls.push(request);
            return calls.length === 1 ? broken(request) : whole(calls.length * 1000)(request);
          },
          resume: () => coherent(calls[0]!),
        }),
      );
      try {
        expect(outcomes(await admit(slug, upstream))).toEqual(['ok', 'ok']);
        const [resume, ...more] = resumesOf(upstream);
        expect([resume?.headers['last-event-id'], more.length]).toEqual(['102', 0]);
        expect(resume!.at - calls[0]!.at).toBeGreaterThanOrEqual(retryMs - 2);
      } finally {
        await upstream.close();
      }
    },
  );

  it('stormy opens the stream a dozen times, before `retry`', async () => {
    const upstream = await breaking({ resume: coherent });
    expect(outcomes(await admit('stormy', upstream))).toEqual(['ok', 'ok']);
    expect(resumesOf(upstream).length).toBeGreaterThanOrEqual(12);
    expect(resumesOf(upstream)[0]!.at - sent(upstream, 'tools/call')[0]!.at).toBeLessThan(retryMs - 10);
  });

  it('jumpy does not look: it deletes its healthy session and calls again in another', async () => {
    const upstream = await breaking({ resume: coherent });
    expect(outcomes(await admit('jumpy', upstream))).toEqual(['ok', 'ok']);
    expect(resumesOf(upstream)).toEqual([]);
    expect(sessionsOf(sent(upstream, 'DELETE'))[0]).toBe('session-1');
    expect(sessionsOf(sent(upstream, 'tools/call'))).toEqual(['session-1', 'session-2', 'session-2']);
  });

  it('double calls again in the same session, and the effect happens twice', async () => {
    const upstream = await breaking({ resume: coherent });
    expect(outcomes(await admit('double', upstream, { CALLS: '1' }))).toEqual(['ok']);
    expect(sessionsOf(sent(upstream, 'tools/call'))).toEqual(['session-1', 'session-1']);
    expect(new Set(sent(upstream, 'tools/call').map(({ json }) => json?.id)).size).toBe(2);
  });

  it('no-resume rejects at the break and never sends a cursor', async () => {
    const upstream = await breaking({ resume: coherent });
    const run = await admit('no-resume', upstream);
    expect(outcomes(run)).toEqual(['StreamLostError', 'ok']);
    expect(run.said!.calls[0]!.ms).toBeLessThan(1000);
    expect(resumesOf(upstream)).toEqual([]);
  });

  it('no-cursor opens a stream without one, and rejects when nothing comes there', async () => {
    const upstream = await breaking({ resume: coherent });
    expect(outcomes(await admit('no-cursor', upstream))).toEqual(['StreamEpochDesyncError', 'ok']);
    expect(sent(upstream, 'GET').map(({ headers }) => headers['last-event-id'])).toEqual([undefined]);
  });

  it.each([
    ['by an exception', {}, 1, null],
    ['by a signal', { CRASH: 'signal' }, null, 'SIGABRT'],
  ])('crashing dies of the break %s', async (_, env, code, signal) => {
    const upstream = await breaking({ resume: coherent });
    const run = await admit('crashing', upstream, env);
    expect([run.code, run.signal, run.said]).toEqual([code, signal, undefined]);
  });
});

describe('other breaks', () => {
  it.each(['careful', 'transparent', 'loud', 'no-resume', 'no-cursor'])(
    '%s starts a new session after a 404',
    async (slug) => {
      const upstream = await breaking({ first: () => empty(404) });
      await admit(slug, upstream);
      expect(sessionsOf(sent(upstream, 'tools/call')).slice(0, 2)).toEqual(['session-1', 'session-2']);
    },
  );

  it.each(['blind-404', 'deaf'])('%s keeps the dead session after a 404', async (slug) => {
    const upstream = await breaking({ first: () => empty(404) });
    expect(outcomes(await admit(slug, upstream))).toEqual(['HttpError', 'ok']);
    expect(sessionsOf(sent(upstream, 'tools/call'))).toEqual(['session-1', 'session-1']);
  });

  const cutAfter = (request: ScriptedRequest) => [
    sseHead(),
    chunk(`${retry}${event('101', progress(token(request), 1))}`),
    chunk('id: 102\ndata: {"jsonrpc":'),
    end('fin' as const),
  ];
  it.each([
    ['careful', '101'],
    ['deaf', '101'],
    ['half-event', '102'],
  ])('%s resumes after an event that was cut in half with %s', async (slug, cursor) => {
    const upstream = await breaking({ first: cutAfter, resume: regressed });
    await admit(slug, upstream, { CALLS: '1' });
    expect(resumesOf(upstream)[0]?.headers['last-event-id']).toBe(cursor);
  });

  it('forgetful loses its cursor after an empty leg; deaf keeps it', async () => {
    const cursors = async (slug: string) => {
      const upstream = await breaking({
        get: (request) => (request.index < 4 ? silentStream() : empty(409)),
        resume: (call, attempt) => (attempt === 1 ? [sseHead(), end('fin')] : coherent(call)),
      });
      const run = await admit(slug, upstream, { CALLS: '1' });
      await upstream.close();
      const gets = sent(upstream, 'GET').slice(1);
      return [outcomes(run), gets.map(({ headers }) => headers['last-event-id'])];
    };
    expect(await cursors('deaf')).toEqual([['ok'], ['102', '102']]);
    expect(await cursors('forgetful')).toEqual([['TimeoutError'], ['102', undefined]]);
  });

  it('greedy adopts a session id from a later answer; deaf does not', async () => {
    const changing: Script = (request) => {
      const [, ...rest] = whole(101)(request) as unknown as ReturnType<typeof write>[];
      return [sseHead({ 'mcp-session-id': 'other' }), ...rest];
    };
    const sessions = async (slug: string) => {
      const upstream = await breaking({ first: changing });
      await admit(slug, upstream);
      await upstream.close();
      return sessionsOf(sent(upstream, 'tools/call'));
    };
    expect(await sessions('greedy')).toEqual(['session-1', 'other']);
    expect(await sessions('deaf')).toEqual(['session-1', 'session-1']);
  });

  it.each([
    [
      'a gap',
      (call: ScriptedRequest) => [
        sseHead(),
        chunk(event('105', progress(token(call), 4))),
        end('stall' as const),
      ],
    ],
    ['silence', () => silentStream()],
    [
      'an answer that belongs to another request',
      () => [sseHead(), chunk(event('103', result(999))), end('stall' as const)],
    ],
    [
      'a known id with other content',
      () => [sseHead(), chunk(event('102', result(998))), end('stall' as const)],
    ],
    ['a refusal', () => empty(400)],
  ])('careful gives the session up on %s after a resume', async (_, resume) => {
    const upstream = await breaking({ resume });
    const run = await admit('careful', upstream);
    expect(outcomes(run)).toEqual(['ok', 'ok']);
    expect(run.said).toMatchObject({ sessions: 2, noticed: [expect.any(String)] });
  });

  it('careful takes a repetition, word for word, for what it is', async () => {
    const upstream = await breaking({
      resume: (call) => [
        sseHead(),
        chunk(event('101')),
        chunk(event('102', progress(token(call), 1))),
        ...coherent(call).slice(1),
      ],
    });
    const run = await admit('careful', upstream);
    expect(run.said).toMatchObject({ sessions: 1, noticed: [] });
    expect(outcomes(run)).toEqual(['ok', 'ok']);
  });

  it('careful asks a stream that went silent, resumes it, and keeps the session', async () => {
    const stalled: Script = (request) => [
      sseHead(),
      chunk(`${retry}${event('101')}`),
      chunk(event('102', progress(token(request), 1))),
      end('stall'),
    ];
    const upstream = await breaking({ first: stalled, resume: coherent });
    const run = await admit('careful', upstream);
    expect(run.said).toMatchObject({ sessions: 1, noticed: [] });
    expect(sent(upstream, 'ping')).toHaveLength(1);
    expect(resumesOf(upstream)).toHaveLength(1);
  });
});
