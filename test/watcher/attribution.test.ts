/** Many clients in one process: each finding belongs to one request, and nobody gets another's reaction. */
import { expect, describe as group, test } from 'vitest';
import { type Call, type Client, type Leg, Story, stranger } from './story.ts';

interface Affected {
  readonly client: Client;
  readonly call: Call;
  readonly leg: Leg;
}

function regressed(client: Client, args: unknown = { to: 5 }): Affected {
  const call = client.call('count', args);
  const decision = call.preludeTo('regress-cursor', {}, ['8411', '8412']);
  call.missed(0, true);
  const leg = call.resume('8412', { decision, due: { ids: ['8413'], answers: true } });
  leg.show('17', stranger(1), decision);
  return { client, call, leg };
}

group('fifty sessions in one process', () => {
  const behaviours = ['resets', 'surfaces', 'times out', 'is torn down', 'hangs'] as const;

  function crowd(): { readonly story: Story; readonly affected: readonly Affected[] } {
    const story = new Story({ clientTimeoutMs: 3000, deadlineMs: 5000 });
    const clients = Array.from({ length: 50 }, () => story.client().initialize());
    const affected = clients.map((client, n) => regressed(client, { to: n }));
    story.after(5);
    const act = (which: (typeof behaviours)[number], what: (one: Affected) => void): void => {
      for (const [n, one] of affected.entries()) if (behaviours[n % behaviours.length] === which) what(one);
    };
    act('surfaces', ({ client, call, leg }) => {
      leg.abort();
      client.cancel(call, 'desync');
    });
    act('resets', ({ leg }) => void leg.abort());
    act('surfaces', ({ client }) => void client.call('echo').answer('1000001'));
    act('resets', ({ client }) => void client.initialize());
    story.after(1500);
    act('is torn down', ({ client, leg }) => {
      leg.abort();
      client.delete();
    });
    story.after(1495);
    act('times out', ({ client, call }) => void client.cancel(call));
    story.after(2005);
    for (const { leg } of affected) story.deadline(leg.since);
    act('hangs', ({ leg }) => void leg.abort());
    story.exit(1);
    return { story, affected };
  }

  test('each finding is tied to its own session and request', () => {
    const { story, affected } = crowd();
    const { findings } = story.judge();
    expect(findings).toHaveLength(50);
    for (const { call } of affected) {
      const own = findings.filter((finding) => finding.request?.exchange === call.exchange);
      expect(own).toMatchObject([{ request: { id: call.id, tool: 'count' } }]);
    }
    expect(new Set(findings.map(({ session }) => session)).size).toBe(50);
  });

  test('each has the outcome of its own client, or is undetermined where clients look alike', () => {
    const { story, affected } = crowd();
    const { findings } = story.judge();
    const allowed: Readonly<Record<string, readonly string[]>> = {
      // Fifty clients number their requests alike, so a new session could be anybody's.
      resets: ['reset', 'undetermined'],
      surfaces: ['surfaced'],
      'times out': ['timed-out'],
      'is torn down': ['undetermined'],
      hangs: ['hung'],
    };
    for (const [n, { call }] of affected.entries()) {
      const own = findings.find((finding) => finding.request?.exchange === call.exchange);
      expect(allowed[behaviours[n % behaviours.length]!]).toContain(own?.outcome);
    }
  });

  test('with a scope each, the new sessions find their clients', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const affected = Array.from({ length: 50 }, (_, n) =>
      regressed(story.client({ scope: `test-${n}` }).initialize()),
    );
    story.after(5);
    for (const { leg } of affected) leg.abort();
    for (const { client } of affected) client.renumber().initialize();
    story.exit();
    const { findings } = story.judge();
    expect(findings.map(({ outcome }) => outcome)).toEqual(Array(50).fill('reset'));
    expect(findings.map(({ scope }) => scope)).toEqual(affected.map((_, n) => `test-${n}`));
  });
});

group('a new session', () => {
  test('in another scope is nobody else’s reaction', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { leg } = regressed(story.client({ scope: 'a' }).initialize());
    story.after(5);
    leg.abort();
    story.client({ scope: 'b' }).initialize();
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'undetermined', scope: 'a' });
  });

  test('of a hook’s client is its reaction in the test that used it, and the finding is the test’s', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const client = story.client({ scope: 'file' }).initialize();
    client.scope = 'file > a test';
    const { leg } = regressed(client);
    story.after(5);
    leg.abort();
    client.renumber().initialize();
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'reset', scope: 'file > a test' });
  });

  test('beside another client at work is not attributed', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { leg } = regressed(story.client().initialize());
    story.client().initialize().listen();
    story.after(5);
    leg.abort();
    story.client().initialize();
    story.exit();
    const finding = story.finding();
    expect(finding.outcome).toBe('undetermined');
    expect(finding.message.did).toContain('cannot tell whose');
  });

  test('whose numbers go on is the same client’s even then, and even late', () => {
    const story = new Story({ clientTimeoutMs: 30_000 });
    const { client, leg } = regressed(story.client().initialize());
    story.client().initialize().listen();
    story.after(4000);
    leg.abort();
    client.initialize();
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'reset', confidence: 'inferred', latencyMs: 4000 });
  });

  test('proves nothing by its numbers where clients share a counter', () => {
    const story = new Story({ clientTimeoutMs: 30_000 });
    const first = story.client({ firstId: 100 }).initialize();
    const { leg } = regressed(first);
    story.after(4000);
    leg.abort();
    story.client({ firstId: 200 }).initialize();
    story.exit();
    expect(story.finding().outcome).toBe('undetermined');
  });

  test('after the call’s own timeout is no detection', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { client, leg } = regressed(story.client().initialize());
    story.after(3010);
    leg.abort();
    client.initialize();
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'timed-out', detected: false });
  });

  test('of a client whose old session is used again is no reset', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call } = regressed(story.client().initialize());
    story.after(100);
    const other = story.client().initialize();
    story.after(2900);
    call.client.cancel(call);
    other.delete();
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'timed-out' });
  });
});

test('a batch has one finding for each of its requests', () => {
  const story = new Story({ clientTimeoutMs: 3000 });
  const client = story.client({ revision: '2025-03-26' }).initialize();
  const [first, second] = client.batch(['one', 'two']) as [Call, Call];
  first.drop('fin', story.decide('drop-stream', {}, first.exchange));
  story.after(3000);
  client.cancel(first);
  client.cancel(second);
  story.exit(1);
  const { findings } = story.judge();
  expect(findings.map(({ request, outcome, verdict }) => [request?.tool, outcome, verdict])).toEqual([
    ['one', 'timed-out', 'violated'],
    ['two', 'timed-out', 'violated'],
  ]);
  expect(new Set(findings.map(({ id }) => id)).size).toBe(2);
});

test('a hidden listing of the SDK is not blamed for the call: each has its own finding', () => {
  const story = new Story({ clientTimeoutMs: 3000 });
  const client = story.client().initialize();
  const { call } = regressed(client);
  const listing = client.post({ jsonrpc: '2.0', id: 99, method: 'tools/list' });
  client.head(listing, 200, 'application/json');
  client.bytes(listing, 'both', '{"jsonrpc":"2.0","id":99,"result":{"tools":[]}}');
  client.end(listing, 'complete', 'upstream', 'both');
  story.after(3000);
  client.cancel(call);
  story.exit(1);
  expect(story.finding()).toMatchObject({
    request: { method: 'tools/call', tool: 'count' },
    outcome: 'timed-out',
  });
});
