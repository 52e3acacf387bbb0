/** Marks: what the child says about itself, believed as far as the wire allows. */
import { expect, describe as group, test } from 'vitest';
import { type Call, type Leg, Story, stranger } from './story.ts';

function regressed(story: Story): { readonly call: Call; readonly leg: Leg } {
  const client = story.client().initialize();
  const call = client.call();
  const decision = call.preludeTo('regress-cursor', { to: 17 }, ['8411', '8412']);
  call.missed(0, true);
  const leg = call.resume('8412', { decision, due: { ids: ['8413'], answers: true } });
  leg.show('17', stranger(1), decision);
  return { call, leg };
}

function refused(story: Story): Call {
  const client = story.client().initialize();
  const call = client.call();
  const decision = story.decide('refuse-resume', {}, call.exchange);
  call.progress('1');
  call.drop('fin', decision);
  call.resume('1', { status: 400, decision });
  return call;
}

group('a rejection that the client reports', () => {
  test('is a detection where it leaves the stream at the same time', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = regressed(story);
    story.after(5);
    leg.abort();
    story.record({
      kind: 'mark',
      phase: 'rejected',
      requestId: call.id,
      error: 'StreamEpochDesyncError: 17 after 8412',
    });
    story.after(1).exit();
    expect(story.finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held', confidence: 'inferred' });
  });

  test('is praise where it stays on the stream and is woken by its own timeout', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call } = regressed(story);
    story.after(5);
    story.record({ kind: 'mark', phase: 'rejected', requestId: call.id, error: 'StreamEpochDesyncError' });
    story.after(2995);
    call.client.cancel(call);
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'timed-out', verdict: 'violated', detected: false });
  });

  test('is not believed where it keeps the stream to the end', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call } = regressed(story);
    story.record({ kind: 'mark', phase: 'rejected', requestId: call.id, error: 'StreamEpochDesyncError' });
    story.after(500).exit();
    expect(story.finding()).toMatchObject({ outcome: 'undetermined', verdict: 'undetermined' });
  });

  test('stands where nothing is open and nothing speaks against it', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const call = refused(story);
    story.after(5);
    story.record({ kind: 'mark', phase: 'rejected', tool: 'count', error: 'Error: cannot resume' });
    call.client.call('echo').answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held', confidence: 'inferred' });
  });

  test('does not stand where its own timeout ends the call later all the same', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const call = refused(story);
    story.after(5);
    story.record({ kind: 'mark', phase: 'rejected', tool: 'count', error: 'Error: cannot resume' });
    story.after(2995);
    call.client.cancel(call);
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'timed-out', verdict: 'violated' });
  });

  test.each([
    ['Request timed out', 'timed-out'],
    ['TimeoutError: test took longer than 1500 ms', 'timed-out'],
    ['Connection closed', 'undetermined'],
    ['AbortError: This operation was aborted', 'undetermined'],
  ])('with %j is no detection', (error, outcome) => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = regressed(story);
    story.after(1500);
    leg.abort();
    story.record({ kind: 'mark', phase: 'rejected', requestId: call.id, error });
    story.exit(1);
    expect(story.finding()).toMatchObject({ outcome, detected: outcome === 'undetermined' ? null : false });
  });
});

group('a mark finds its call', () => {
  test('by scope, where the scope has one that is affected', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    regressed(story);
    story.record({ kind: 'mark', phase: 'resolved', scope: '' });
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'accepted', confidence: 'inferred' });
  });

  test('and nobody where it could be two', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    regressed(story);
    regressed(story);
    story.record({ kind: 'mark', phase: 'resolved', tool: 'count' });
    story.exit();
    expect(story.judge().findings.map(({ outcome }) => outcome)).toEqual(['undetermined', 'undetermined']);
  });

  test('and nobody where it names nothing, or another tool', () => {
    for (const mark of [{ name: 'a test' }, { tool: 'echo' }, { requestId: 99 }, { scope: 'other' }]) {
      const story = new Story({ clientTimeoutMs: 3000 });
      regressed(story);
      story.record({ kind: 'mark', phase: 'resolved', ...mark });
      story.exit();
      expect(story.finding().outcome).toBe('undetermined');
    }
  });
});

group('a call whose stream was altered harmlessly, and whose answer was shown', () => {
  function altered(answered: { error?: true } = {}): { readonly story: Story; readonly call: Call } {
    const story = new Story({ clientTimeoutMs: 3000 });
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('empty-events', {}, call.exchange);
    story.apply(decision, { exchange: call.exchange, stream: call.stream });
    const refusal = { jsonrpc: '2.0', id: call.id, error: { code: -32000, message: 'no' } };
    if (answered.error === true) call.both('1', refusal);
    else call.answer('1');
    return { story, call };
  }
  const of = (story: Story) => {
    story.after(1).exit();
    return story.finding();
  };

  test('is a false alarm where the client rejects it all the same', () => {
    const { story, call } = altered();
    story.record({ kind: 'mark', phase: 'rejected', requestId: call.id, error: 'Unexpected end of JSON' });
    expect(of(story)).toMatchObject({
      obligation: 'survives-controls',
      outcome: 'overreacted',
      verdict: 'violated',
      confidence: 'inferred',
    });
  });

  test('is one where the client times out all the same', () => {
    const { story, call } = altered();
    story.after(3000);
    const error = 'TimeoutError: The operation was aborted due to timeout';
    story.record({ kind: 'mark', phase: 'rejected', requestId: call.id, error });
    expect(of(story)).toMatchObject({ outcome: 'timed-out', verdict: 'violated', confidence: 'inferred' });
  });

  test.each([
    ['a test that failed for whatever reason', { scope: 'main', error: 'expected 5 to be 6' }],
    ['a client that was closed', { tool: 'count', error: 'Connection closed' }],
    ['another call', { requestId: 'x', error: 'Unexpected end of JSON' }],
    ['another scope', { tool: 'count', scope: 'else', error: 'Unexpected end of JSON' }],
  ])('is survived where the mark is of %s', (_, mark) => {
    const { story } = altered();
    story.record({ kind: 'mark', phase: 'rejected', ...mark });
    expect(of(story)).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  });

  test('is survived where the answer itself was an error', () => {
    const { story, call } = altered({ error: true });
    story.record({ kind: 'mark', phase: 'rejected', requestId: call.id, error: 'McpError' });
    expect(of(story)).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  });
});

test('a test that passes decides nothing: it may have expected the rejection', () => {
  const story = new Story({ clientTimeoutMs: 3000 });
  regressed(story);
  story.record({ kind: 'mark', phase: 'resolved', scope: '', name: 'notices a regression' });
  story.exit();
  const { outcome, message } = story.finding();
  expect([outcome, message.did]).toEqual(['undetermined', expect.stringContaining('its test passed')]);
});

group('a test that fails while its call waits', () => {
  const failed = (error: string) =>
    ({ kind: 'mark', phase: 'rejected', name: 'a test', scope: '', error }) as const;

  test('by the runner’s patience: the client noticed nothing', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = regressed(story);
    story.after(1500);
    leg.abort();
    story.record({
      kind: 'mark',
      phase: 'rejected',
      tool: 'count',
      requestId: call.id,
      error: 'McpError: Connection closed',
    });
    story.after(50).record(failed('Error: Test timed out in 1500ms.'));
    story.exit(1);
    expect(story.finding()).toMatchObject({
      outcome: 'timed-out',
      verdict: 'violated',
      detected: false,
      confidence: 'inferred',
    });
  });

  test('by an assertion, seconds later: it may have been torn down', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { leg } = regressed(story);
    story.after(1500);
    leg.abort();
    story.after(50).record(failed('AssertionError: expected undefined to be 3'));
    story.after(5000).client().initialize().call().answer('1');
    story.exit(1);
    expect(story.judge().findings[0]).toMatchObject({ outcome: 'undetermined', detected: null });
  });

  test('at once, and the client left its stream at once: it noticed', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { leg } = regressed(story);
    story.after(5);
    leg.abort();
    story.after(150).record(failed('StreamEpochDesyncError: 17 after 8412'));
    story.exit(1);
    expect(story.finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held', confidence: 'inferred' });
  });
});

group('a success that the session never saw', () => {
  /** Two clients of one scope, so that the wire cannot tell whose the new session is. */
  function lost() {
    const story = new Story({ clientTimeoutMs: 3000 });
    story.client().initialize().listen();
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('expire-session', {}, call.exchange);
    story.apply(decision, { exchange: call.exchange, seam: 'request' });
    client.head(call.exchange, 404, 'application/json', { decision });
    client.end(call.exchange, 'complete', 'proxy', 'client', decision);
    return { story, client, call };
  }

  test('is a recovery where the same work was answered in a new session', () => {
    const { story } = lost();
    expect(story.judge().findings[0]).toMatchObject({ outcome: 'undetermined' });
    story.after(5).client().initialize().call().answer('1');
    story.record({ kind: 'mark', phase: 'resolved', tool: 'count' });
    story.after(5).exit();
    expect(story.under('reinitialises-after-404')).toMatchObject({
      outcome: 'recovered',
      verdict: 'held',
      confidence: 'inferred',
    });
  });

  test('is none where nothing was', () => {
    const { story } = lost();
    story.after(5);
    story.record({ kind: 'mark', phase: 'resolved', tool: 'count' });
    story.after(5).exit();
    expect(story.under('reinitialises-after-404')).toMatchObject({
      outcome: 'accepted',
      verdict: 'violated',
    });
  });
});

test.each([true, false])('a mark that fits another call of its time is nobody’s (by its id: %s)', (byId) => {
  const story = new Story({ clientTimeoutMs: 3000 });
  const other = story.client().initialize();
  const { call } = regressed(story);
  // Another client of the scope, with a call of the same tool and id that is well.
  const well = other.call().answer('9000001');
  expect(well.id).toBe(call.id);
  story.record({ kind: 'mark', phase: 'resolved', ...(byId ? { requestId: well.id } : { tool: 'count' }) });
  story.exit();
  expect(story.finding().outcome).toBe('undetermined');
});

test('a success that was asked for again is no wrong success', () => {
  const story = new Story({ clientTimeoutMs: 3000 });
  const { call, leg } = regressed(story);
  story.after(5);
  leg.abort();
  call.client.initialize();
  const again = call.client.call();
  story.record({ kind: 'mark', phase: 'resolved', tool: 'count' });
  again.answer('1');
  story.exit();
  expect(story.finding()).toMatchObject({ outcome: 'recovered', verdict: 'held' });
});
