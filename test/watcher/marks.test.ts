/** Marks: what the child says about itself, believed as far as the wire allows. */
import { expect, describe as group, test } from 'vitest';
import { type Call, type Leg, Story, stranger } from './story.ts';

function regressed(story: Story): { readonly call: Call; readonly leg: Leg } {
  const client = story.client().initialize();
  const call = client.call();
  const decision = story.decide('regress-cursor', { to: 17 }, call.exchange);
  call.progress('8411', '8412');
  story.apply(decision, { exchange: call.exchange, stream: call.stream, prelude: true });
  call.drop('fin', decision);
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
