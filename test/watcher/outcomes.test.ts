/** One outcome per affected request, decided by what happened first. */
import { expect, describe as group, test } from 'vitest';
import { type Call, Story, stranger } from './story.ts';

/** The first seed's story: dropped after id 8412, resumed into id 17, and the answer never comes. */
function regressed(
  story: Story,
  scope = '',
): { readonly call: Call; readonly leg: ReturnType<Call['resume']> } {
  const client = story.client({ scope }).initialize();
  const call = client.call();
  const decision = call.preludeTo('regress-cursor', { to: 17 }, ['8411', '8412']);
  call.missed(2, true);
  story.after(1000);
  const leg = call.resume('8412', { decision, due: { ids: ['8413', '8414', '8415'], answers: true } });
  leg.show('17', stranger(1), decision);
  leg.show('18', stranger(2), decision);
  return { call, leg };
}

group('a call that was resumed into id 17 after id 8412', () => {
  test('is timed out where the client ends it at its own timeout', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call } = regressed(story);
    story.after(2001);
    call.client.cancel(call, 'Request timed out');
    story.after(10).exit(1);
    expect(story.finding()).toMatchObject({
      obligation: 'validates-resumed-cursor',
      level: 'CONTRACT',
      fault: 'regress-cursor',
      outcome: 'timed-out',
      detected: false,
      verdict: 'violated',
      confidence: 'proven',
      detectability: 'definite',
      latencyMs: 2001,
      revision: '2025-11-25',
      request: { id: call.id, method: 'tools/call', tool: 'count', exchange: call.exchange },
      message: {
        shown: 'resumed after id 8412 and was shown id 17.',
        did: 'resumed with its cursor and waited; ended the call after 3001 ms, its own timeout 3000 ms.',
      },
    });
  });

  test('is surfaced where the client ends it early and its session goes on', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = regressed(story);
    story.after(5);
    leg.abort();
    call.client.cancel(call, 'StreamEpochDesyncError');
    call.client.call('echo', { text: 'next' }).answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({
      outcome: 'surfaced',
      detected: true,
      verdict: 'held',
      latencyMs: 5,
    });
  });

  test('is reset where the same client begins a new session', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = regressed(story);
    story.after(5);
    leg.abort();
    call.client.initialize();
    story.exit();
    expect(story.finding()).toMatchObject({
      outcome: 'reset',
      detected: true,
      verdict: 'held',
      confidence: 'proven',
      flags: ['reset-session'],
    });
  });

  test('is recovered where the work is asked for again in the new session and answered', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = regressed(story);
    story.after(5);
    leg.abort();
    call.client.initialize();
    call.client.call().progress('1').answer('2');
    story.exit();
    expect(story.finding()).toMatchObject({
      outcome: 'recovered',
      detected: true,
      verdict: 'held',
      flags: ['retried', 'duplicate-effect', 'reset-session'],
    });
  });

  test('is hung where it is still pending and quiet at the end, a deadline later', () => {
    const story = new Story({ clientTimeoutMs: 60_000 });
    const { leg } = regressed(story);
    story.after(10_000).deadline(leg.since).after(500);
    leg.abort();
    story.exit(1);
    expect(story.finding()).toMatchObject({ outcome: 'hung', verdict: 'violated', latencyMs: null });
  });

  test('is stuck where it still tries to go on at the end', () => {
    const story = new Story({ clientTimeoutMs: 60_000 });
    const { call, leg } = regressed(story);
    let since = leg.drop('complete');
    for (let n = 0; n < 3; n += 1) {
      story.after(5000);
      if (n === 2) story.deadline(leg.since);
      const next = call.resume('18', { decision: 'none' });
      since = next.drop('complete');
    }
    expect(since).toBeGreaterThan(0);
    story.after(1000).exit(1);
    expect(story.under('validates-resumed-cursor')).toMatchObject({
      outcome: 'stuck',
      verdict: 'violated',
      flags: ['retried', 'adopted-cursor'],
    });
  });

  test('is undetermined where a runner gives up first and tears the client down', () => {
    const story = new Story({ clientTimeoutMs: 60_000 });
    const { call, leg } = regressed(story);
    story.after(1900);
    leg.abort();
    call.client.delete();
    story.exit(1);
    const finding = story.finding();
    expect(finding).toMatchObject({ outcome: 'undetermined', detected: null, verdict: 'undetermined' });
    expect(finding.message.did).toContain('torn down');
  });

  test('is not a reset where the torn-down client is followed by the next test and its own client', () => {
    const story = new Story({ clientTimeoutMs: 60_000 });
    const { call, leg } = regressed(story);
    story.after(1900);
    leg.abort();
    call.client.delete();
    const next = story.client().initialize();
    next.call().progress('1').answer('2');
    story.exit(1);
    expect(story.finding()).toMatchObject({ outcome: 'undetermined', verdict: 'undetermined' });
  });

  test('is undetermined where the client ended it and its timeout is not known', () => {
    const story = new Story();
    const { call } = regressed(story);
    story.after(2001);
    call.client.cancel(call);
    call.client.call('echo').answer('1000001');
    story.exit();
    const finding = story.finding();
    expect(finding).toMatchObject({ outcome: 'undetermined', verdict: 'undetermined' });
    expect(finding.message.did).toContain('--client-timeout');
  });

  test('is timed out, inferred, where the timeout is not known and the client says so itself', () => {
    const story = new Story();
    const { call } = regressed(story);
    story.after(2001);
    call.client.cancel(call, 'McpError: MCP error -32001: Request timed out');
    story.exit();
    expect(story.finding()).toMatchObject({
      outcome: 'timed-out',
      verdict: 'violated',
      confidence: 'inferred',
    });
  });

  test('is crashed where the process dies of it at once', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    regressed(story);
    story.after(20).exit(null, 'SIGABRT');
    expect(story.finding()).toMatchObject({ outcome: 'crashed', verdict: 'violated', detected: false });
  });

  test('is undetermined where the process merely ends: a failed test exits with 1', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    regressed(story);
    story.after(20).exit(1);
    expect(story.finding()).toMatchObject({ outcome: 'undetermined' });
  });

  test('is accepted where the child says that the call succeeded, which was never answered', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    regressed(story);
    story.record({ kind: 'mark', phase: 'resolved', tool: 'count' });
    story.exit();
    expect(story.finding()).toMatchObject({
      outcome: 'accepted',
      confidence: 'inferred',
      verdict: 'violated',
    });
  });
});

group('time', () => {
  /** Silent after a progress every 2 s. */
  function stalled(story: Story): Call {
    const call = story.client().initialize().call();
    const decision = story.decide('stall-stream', {}, call.exchange);
    for (let n = 1; n <= 4; n += 1) {
      story.after(2000);
      call.progress(String(n));
    }
    story.apply(decision, { exchange: call.exchange, stream: call.stream });
    call.drop('stall', decision);
    return call;
  }

  test('a clock that progress resets is no early end', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const call = stalled(story);
    call.missed(0, true);
    story.after(3001);
    call.client.cancel(call);
    call.client.call('echo').answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({
      obligation: 'bounds-its-wait',
      level: 'SHOULD',
      outcome: 'timed-out',
      detected: false,
      verdict: 'held',
    });
  });

  test('an end well before either clock is early', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const call = stalled(story);
    story.after(1000);
    call.client.cancel(call);
    call.client.call('echo').answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held' });
  });
});

group('controls', () => {
  function dropped(story: Story): Call {
    const client = story.client().initialize();
    const call = client.call();
    call.droppedBy('drop-stream', { where: 'after-frame' }, ['1', '2']);
    call.missed(1, true);
    return call;
  }

  test('a dropped stream that is resumed coherently is recovered', () => {
    const story = new Story();
    const call = dropped(story);
    story.after(1000);
    const leg = call.resume('2', { due: { ids: ['3', '4'], answers: true } });
    leg.show('3', call.progressMessage(3));
    leg.show('4', call.answerMessage());
    leg.complete();
    call.client.delete();
    story.exit();
    const report = story.judge();
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      obligation: 'survives-controls',
      level: 'CONTROL',
      outcome: 'recovered',
      verdict: 'held',
    });
    expect(report.coverage).toMatchObject({
      detection: { detected: 0, total: 0 },
      falseAlarms: { count: 0, total: 1 },
    });
    expect(report.exitCode).toBe(0);
  });

  test('a healthy session that is ended for it is an overreaction', () => {
    const story = new Story();
    const call = dropped(story);
    story.after(20);
    call.client.delete();
    call.client.initialize();
    call.client.call().answer('1');
    story.exit();
    const report = story.judge();
    expect(report.findings[0]).toMatchObject({
      obligation: 'survives-controls',
      level: 'CONTROL',
      outcome: 'overreacted',
      verdict: 'violated',
    });
    expect(report.coverage.falseAlarms).toEqual({ count: 1, total: 1 });
    expect(report.exitCode).toBe(1);
  });

  test('a polite leaver with nothing pending is no finding', () => {
    const story = new Story();
    const client = story.client().initialize();
    client.call().progress('1').answer('2');
    client.delete();
    story.exit();
    expect(story.judge().findings).toEqual([]);
  });
});
