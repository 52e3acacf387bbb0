/** What the ward showed: verdicts that were wrong once, about clients whose behaviour is known. */
import { expect, describe as group, test } from 'vitest';
import { type Call, type Leg, Story, stranger } from './story.ts';

/** Dropped after 2, resumed behind a gap: 3 is lost, 4 and the answer come at once. */
function skipped(story: Story): { readonly call: Call; readonly leg: Leg } {
  const client = story.client().initialize();
  const call = client.call();
  const decision = call.preludeTo('skip-events', { over: 'events' }, ['1', '2']);
  call.missed(2, true);
  story.after(100);
  const leg = call.resume('2', { decision, due: { ids: ['3', '4', '5'], answers: true } });
  story.apply(decision, { exchange: leg.exchange, stream: call.stream, seam: 'resume' });
  leg.show('4', call.progressMessage(4), decision);
  leg.show('5', call.answerMessage(), decision);
  return { call, leg };
}

group('an answer behind a gap, all in one write', () => {
  test('was not taken by a client that begins a new session and asks there', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = skipped(story);
    leg.abort();
    story.after(5);
    call.client.initialize();
    call.client.call().answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'recovered', verdict: 'held', detected: true });
  });

  test('is undecided where a session begins in the scope that may be its client, or the next test', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = skipped(story);
    leg.abort();
    story.after(5);
    call.client.renumber().initialize();
    call.client.call().answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'undetermined', verdict: 'undetermined' });
  });

  test('was not taken by a client that says that it rejected the call', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = skipped(story);
    leg.abort();
    story.record({
      kind: 'mark',
      phase: 'rejected',
      requestId: call.id,
      error: 'StreamEpochDesyncError: 4 after 2',
    });
    call.client.call('echo').answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held', confidence: 'inferred' });
  });

  test.each(['the next call', 'a mark', 'the end'] as const)('was taken where it goes on: %s', (how) => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, leg } = skipped(story);
    leg.complete();
    if (how === 'the next call') call.client.call('echo').answer('1000001');
    if (how === 'a mark') story.record({ kind: 'mark', phase: 'resolved', requestId: call.id });
    story.exit();
    expect(story.finding()).toMatchObject({
      outcome: 'accepted',
      verdict: 'violated',
      level: 'ADVICE',
      confidence: 'proven',
    });
  });
});

group('a 404 of which the client says that it rejected the call', () => {
  function lost(story: Story): Call {
    const client = story.client().initialize();
    const call = client.call('count', { to: 1 }, { respond: false });
    const decision = story.decide('expire-session', { at: 'request' }, call.exchange);
    story.apply(decision, { exchange: call.exchange, seam: 'request' });
    client.refuse(call.exchange, 404, decision);
    story.after(5).record({ kind: 'mark', phase: 'rejected', requestId: call.id, error: 'HttpError: 404' });
    return call;
  }

  test('is a violation once the dead session is used again', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { client } = lost(story);
    story.after(1000);
    client.refuse(client.call('count', { to: 2 }, { respond: false }).exchange, 404);
    story.exit(1);
    expect(story.judge().findings[0]).toMatchObject({
      obligation: 'reinitialises-after-404',
      outcome: 'surfaced',
      verdict: 'violated',
    });
  });

  test('is none where nothing follows', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    lost(story);
    story.exit(1);
    expect(story.finding()).toMatchObject({ outcome: 'surfaced', verdict: 'undetermined' });
  });
});

group('a stream that the client closes when its timeout is due', () => {
  function stalled(story: Story): { readonly call: Call; readonly leg: Leg } {
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('swallow-replay', { next: 'silence' }, call.exchange);
    call.progress('1', '2');
    call.drop('fin', decision);
    call.missed(1, true);
    story.after(100);
    const leg = call.resume('2', { decision, due: { ids: ['3', '4'], answers: true } });
    story.apply(decision, { exchange: leg.exchange, stream: call.stream, seam: 'resume' });
    story.after(2900);
    leg.abort();
    return { call, leg };
  }

  test('was closed by its timeout where it goes on to something else', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call } = stalled(story);
    call.client.call('echo').answer('1000001');
    story.exit(1);
    expect(story.finding()).toMatchObject({
      outcome: 'timed-out',
      verdict: 'violated',
      confidence: 'proven',
    });
  });

  test('was not, where it opens the stream again, and again', () => {
    const story = new Story({ clientTimeoutMs: 3000, deadlineMs: 1000 });
    const { call } = stalled(story);
    const [since] = story.facts.flatMap(({ kind, seq }) => (kind === 'applied' ? [seq] : []));
    for (let tries = 0; tries < 3; tries += 1) {
      story.after(400);
      const leg = call.resume('2');
      if (tries === 0) story.deadline(since!);
      story.after(300);
      leg.abort();
    }
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'stuck', verdict: 'violated' });
  });
});

group('a client that drops what it has just opened, to open it again', () => {
  function reopened(everyMs: number) {
    const story = new Story();
    const client = story.client().initialize();
    const call = client.call();
    call.progress('1', '2');
    call.drop('fin');
    for (let times = 0; times < 8; times += 1) {
      story.after(everyMs);
      call.resume('2').abort();
    }
    story.after(everyMs);
    call.resume('2').both('3', call.answerMessage()).complete();
    return story
      .exit()
      .judge()
      .findings.filter(({ obligation }) => obligation === 'reconnects-with-pause');
  }

  test('is a storm without a pause', () => {
    expect(reopened(5)).toMatchObject([{ outcome: 'overreacted', verdict: 'violated', flags: ['storm'] }]);
  });

  test('is none with one', () => {
    expect(reopened(120)).toEqual([]);
  });
});

group('a stream that ends again and again', () => {
  /** Four legs that bring nothing, then the runner of the test gives up. */
  function givenUp(leave: (client: ReturnType<Story['client']>) => void) {
    const story = new Story({ clientTimeoutMs: 6000 });
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('swallow-response', { next: 'complete' }, call.exchange);
    call.progress('1', '2');
    story.apply(decision, { exchange: call.exchange, stream: call.stream });
    call.missed(0, true);
    call.drop('complete', decision);
    for (let times = 0; times < 4; times += 1) {
      story.after(110);
      const leg = call.resume('2', { due: { ids: ['3'], answers: true } });
      leg.drop('complete', decision);
    }
    story.after(50);
    client.delete();
    leave(client);
    return story.exit(1).finding();
  }

  test('makes no detection of a torn-down client and the next test, though both come soon after an end', () => {
    expect(
      givenUp((client) => {
        client.renumber().initialize();
        client.call('echo').answer('1000001');
      }),
    ).toMatchObject({ outcome: 'undetermined' });
  });

  test('takes no detection from a client whose numbers go on', () => {
    expect(
      givenUp((client) => {
        client.initialize();
        client.call().answer('1000001');
      }),
    ).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  });
});

test('a resumption that was on its way when the client left with DELETE is no sign that it is still there', () => {
  const story = new Story({ clientTimeoutMs: 6000 });
  const client = story.client().initialize();
  const call = client.call();
  const decision = story.decide('misroute-response', {}, call.exchange);
  call.progress('1', '2');
  story.apply(decision, { exchange: call.exchange, stream: call.stream });
  call.missed(0, true);
  call.show('3', { jsonrpc: '2.0', id: 'unknown', result: {} }, decision);
  call.drop('complete', decision);
  story.after(3500);
  client.delete();
  const since = call.resume('3').drop('complete');
  story.after(10_000).deadline(since);
  story.exit(1);
  expect(story.finding()).toMatchObject({ outcome: 'undetermined', verdict: 'undetermined' });
});

group('no session id on a response', () => {
  test('is no reason, but the client may leave after its call: its DELETE bears the id', () => {
    const story = new Story({ rules: [{ fault: 'drop-session-id', control: true }] });
    const client = story.client().initialize();
    const call = client.call('count', { to: 5 }, { respond: false });
    const decision = story.decide('drop-session-id', { at: 'answer' }, call.exchange);
    story.apply(decision, { exchange: call.exchange, seam: 'head' });
    client.head(call.exchange, 200, 'application/json', { session: null, decision });
    client.bytes(call.exchange, 'both', JSON.stringify({ jsonrpc: '2.0', id: call.id, result: {} }));
    client.end(call.exchange, 'complete', 'upstream', 'both');
    story.after(5);
    client.delete();
    client.initialize();
    client.call('echo').answer('1000001');
    client.delete();
    const { findings } = story.exit().judge();
    expect(findings.map(({ verdict }) => verdict)).not.toContain('violated');
    expect(findings.find(({ message }) => message.did.includes('DELETE'))).toMatchObject({
      outcome: 'recovered',
      verdict: 'held',
    });
  });
});

group('a jump in the ids right after a resumption', () => {
  /** Dropped after 2 of 6 events, resumed when `missed` more had come; the rest and the answer come before the jump. */
  function jumped(missed: number, to: string) {
    const story = new Story({ clientTimeoutMs: 3000 });
    const call = story.client().initialize().call();
    const decision = story.decide('skip-events', { over: 'answer' }, call.exchange);
    call.progress('1', '2');
    call.drop('fin', decision);
    call.missed(missed, missed === 4);
    story.after(100);
    const ids = ['3', '4', '5', '6', '7'].slice(0, missed === 4 ? 5 : missed);
    const leg = call.resume('2', { decision, due: { ids, answers: missed === 4 } });
    if (missed < 4) call.missed(4 - missed, true);
    leg.show(to, stranger(1), decision);
    story.after(2900);
    call.client.cancel(call, 'timed out');
    return story.exit(1).finding();
  }

  test.each([0, 1, 3, 4])('is a gap in its own numbering, %i events missed at that moment', (missed) => {
    expect(jumped(missed, '8')).toMatchObject({
      obligation: 'validates-resumed-cursor',
      outcome: 'timed-out',
      verdict: 'violated',
    });
  });

  test.each([0, 1, 3, 4])('is a new numbering beyond that, %i events missed at that moment', (missed) => {
    expect(jumped(missed, '9')).toMatchObject({
      obligation: 'notices-missing-replay',
      outcome: 'timed-out',
      verdict: 'violated',
    });
  });
});

group('a stream that is resumed many times at once', () => {
  /** Two resumptions with one cursor; upstream's next event goes to the latest of them. */
  function stormed(story: Story) {
    const call = story.client().initialize().call();
    const decision = story.decide('skip-events', {}, call.exchange);
    call.progress('1', '2');
    call.drop('fin', decision);
    const early = call.resume('2', { decision });
    call.missed(1);
    early.show('3', call.progressMessage(3));
    return { call, decision, early };
  }

  test.each(['before', 'after'])(
    'took nothing of what it left %s it came back with the old cursor',
    (when) => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const { call, decision, early } = stormed(story);
      story.after(5);
      call.missed(1, true);
      if (when === 'before') early.abort();
      const kept = call.resume('2', { decision, due: { ids: ['3', '4', '5'], answers: true } });
      if (when === 'after') early.abort();
      kept.show('4', call.progressMessage(4), decision);
      kept.show('5', call.answerMessage());
      kept.complete();
      story.record({ kind: 'mark', phase: 'resolved', requestId: call.id });
      story.exit();
      expect(story.under('validates-resumed-cursor')).toMatchObject({
        outcome: 'accepted',
        verdict: 'violated',
        message: { did: expect.stringContaining('some progress was never shown') },
      });
    },
  );

  test('took what lies before the cursor that it came back with', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const { call, decision, early } = stormed(story);
    story.after(5);
    early.abort();
    call.missed(1, true);
    const kept = call.resume('3', { decision, due: { ids: ['4', '5'], answers: true } });
    kept.show('4', call.progressMessage(4));
    kept.show('5', call.answerMessage());
    kept.complete();
    story.exit();
    expect(story.judge().findings).toMatchObject([{ outcome: 'recovered', verdict: 'held' }]);
  });

  test('still waits while the latest is open, whatever it closes: what that one is shown is judged', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const call = story.client().initialize().call();
    const decision = story.decide('skip-events', { over: 'answer' }, call.exchange);
    call.progress('1', '2');
    call.drop('fin', decision);
    call.missed(2);
    const legs = [1, 2, 3].map(() =>
      call.resume('2', { decision, due: { ids: ['3', '4'], answers: false } }),
    );
    for (const leg of legs.slice(0, 2)) leg.abort();
    call.missed(0, true);
    legs[2]!.show('6', stranger(1), decision);
    story.after(2900);
    call.client.cancel(call, 'timed out');
    story.exit(1);
    expect(story.finding()).toMatchObject({ obligation: 'validates-resumed-cursor', outcome: 'timed-out' });
  });
});

group('`retry` right before a reset', () => {
  function hurried(cursor: string) {
    const story = new Story({ clientTimeoutMs: 3000 });
    const call = story.client().initialize().call();
    call.progress('1');
    call.raw('retry: 600\n\n');
    call.progress('2');
    call.drop('reset');
    story.after(5);
    call.resume(cursor).both('3', call.answerMessage()).complete();
    return story
      .exit()
      .judge()
      .findings.filter(({ obligation }) => obligation === 'respects-retry');
  }

  test('was read where the cursor is that of a later event', () => {
    expect(hurried('2')).toMatchObject([{ verdict: 'violated' }]);
  });

  test('may not have been where it is not', () => {
    expect(hurried('1')).toEqual([]);
  });
});
