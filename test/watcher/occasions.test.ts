/** What is recognised from the bytes: kinds, words, and how much a client could know. */
import { expect, describe as group, test } from 'vitest';
import type { Contract } from '../../src/cursor/contract.ts';
import { type Call, type Leg, Story, stranger } from './story.ts';

interface Resumed {
  readonly story: Story;
  readonly call: Call;
  readonly leg: Leg;
}

function resumed(
  fault: string,
  contract: Contract = 'monotonic:stream',
  ids = ['1', '2', '3', '4', '5'],
): Resumed {
  const story = new Story({ clientTimeoutMs: 3000, contract, rules: [{ fault, control: false }] });
  const client = story.client().initialize();
  const call = client.call();
  const decision = call.preludeTo(fault, {}, [ids[0]!, ids[1]!]);
  call.missed(2, true);
  const leg = call.resume(ids[1]!, { decision, due: { ids: ids.slice(2), answers: true } });
  return { story, call, leg };
}

function timesOut({ story, call }: Resumed): ReturnType<Story['finding']> {
  story.after(3000);
  call.client.cancel(call);
  return story.exit(1).finding();
}

group('the first event after a reconnect', () => {
  test.each([
    ['a lower id', 'monotonic:stream', '0', 'definite', 'resumed after id 2 and was shown id 0.'],
    ['a negative one', 'monotonic:stream', '-9', 'definite', 'resumed after id 2 and was shown id -9.'],
    [
      'beyond 2^53',
      'monotonic:stream',
      '9007199254740993',
      'definite',
      'nothing of what was missed was replayed.',
    ],
    ['one event on', 'monotonic:stream', '4', 'definite', 'what lies between was not.'],
    ['one counter a session', 'monotonic:session', '0', 'definite', 'resumed after id 2 and was shown id 0.'],
  ] as const)('%s', (_, contract, id, detectability, shown) => {
    const told = resumed('regress-cursor', contract);
    told.leg.show(id, stranger(1), 'd');
    expect(timesOut(told)).toMatchObject({
      detectability,
      verdict: 'violated',
      message: { shown: expect.stringContaining(shown) },
    });
  });

  test('of another epoch', () => {
    const told = resumed('regress-cursor', 'epoch', ['1:1', '1:2', '1:3', '1:4', '1:5']);
    told.leg.show('2:3', stranger(1), 'd');
    expect(timesOut(told).message.shown).toBe('resumed after id 1:2 and was shown id 2:3 of another epoch.');
  });

  test('that fits, with content that nobody sent on this stream, is beyond knowing', () => {
    const told = resumed('diverge-replay');
    told.leg.show('3', stranger(1), 'd');
    expect(timesOut(told)).toMatchObject({
      obligation: 'checks-replayed-digest',
      detectability: 'none',
      verdict: 'moot',
      message: {
        shown: "resumed after id 2 and was shown id 3, which fits, with content that is not this stream's.",
      },
    });
  });

  test('with an opaque id under which other content was seen can be noticed by a digest', () => {
    const told = resumed('diverge-replay', 'opaque', ['a', 'b', 'c', 'd', 'e']);
    told.leg.show('b', stranger(1), 'd');
    expect(timesOut(told)).toMatchObject({
      obligation: 'checks-replayed-digest',
      detectability: 'inferable',
      verdict: 'violated',
    });
  });

  test('behind a wrong one is looked at as well', () => {
    const told = resumed('reorder-replay');
    told.leg.show('3', told.call.progressMessage(3), 'd');
    told.leg.show('5', told.call.answerMessage(), 'd');
    told.leg.show('4', told.call.progressMessage(4), 'd');
    told.leg.complete();
    const finding = told.story.exit().finding();
    expect(finding.message.shown).toBe(
      'resumed after id 2 and was shown id 5 right after id 3; what lies between was not.',
    );
    // Everything came in the end, and whether the client waited for it the wire cannot tell.
    expect(finding).toMatchObject({ outcome: 'recovered', verdict: 'held', detected: null });
  });
});

group('ids that break the contract while the stream lives', () => {
  function wrapped(): { readonly story: Story; readonly call: Call } {
    const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'wrap-ids', control: false }] });
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('wrap-ids', {}, call.exchange);
    for (const [step, id] of ['1', '0', '1'].entries()) {
      call.upstream(call.progressMessage(step + 1));
      story.apply(decision, { exchange: call.exchange, stream: call.stream, prelude: true });
      call.show(id, call.progressMessage(step + 1), decision);
    }
    return { story, call };
  }

  test('are a reason to leave it, and no false alarm', () => {
    const { story, call } = wrapped();
    call.drop('fin');
    story.after(5);
    call.client.initialize();
    expect(story.exit().finding()).toMatchObject({ outcome: 'reset', verdict: 'held', detected: true });
  });

  test('are nobody’s duty where the answer comes all the same', () => {
    const { story, call } = wrapped();
    call.both('2', call.answerMessage());
    call.client.end(call.exchange, 'complete', 'upstream', 'both');
    expect(story.exit().finding()).toMatchObject({
      level: 'ADVICE',
      outcome: 'recovered',
      verdict: 'held',
      detected: null,
    });
  });
});

group('a refused session', () => {
  test.each([400, 401, 410])('%i obliges to nothing but an end of the wait', (status) => {
    const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'refuse-session', control: false }] });
    const client = story.client().initialize();
    const call = client.call('count', { to: 1 }, { respond: false });
    const decision = story.decide('refuse-session', { status }, call.exchange);
    story.apply(decision, { exchange: call.exchange, seam: 'request' });
    client.refuse(call.exchange, status, decision);
    client.call('count', { to: 2 }, { respond: false });
    const [finding] = story.exit().judge().findings;
    expect(finding).toMatchObject({
      obligation: 'settles-broken-call',
      level: 'ADVICE',
      outcome: 'surfaced',
      verdict: 'held',
    });
  });

  test('401 without a fault is authentication at work, and no occasion', () => {
    const story = new Story();
    const client = story.client().initialize();
    const call = client.call('count', { to: 1 }, { respond: false });
    client.refuse(call.exchange, 401);
    client.call('count', { to: 1 }, { id: call.id }).answer('1');
    expect(story.exit().judge().findings).toEqual([]);
  });
});

test('an answer that may have been lost in a reset is decided by the next cursor', () => {
  const told = (cursor: string | undefined): Story => {
    const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'drop-stream', control: false }] });
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('drop-stream', { where: 'after-response', how: 'reset' }, call.exchange);
    call.progress('1').both('2', call.answerMessage());
    story.apply(decision, { exchange: call.exchange, stream: call.stream });
    call.drop('reset', decision);
    story.after(1000);
    if (cursor !== undefined)
      call.resume(cursor, { due: { ids: cursor === '1' ? ['2'] : [], answers: cursor === '1' } });
    return story;
  };
  expect(told(undefined).exit().finding().message.did).toContain('whether it was read');
  expect(told('2').exit().finding()).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  expect(told('1').exit().finding()).toMatchObject({ outcome: 'undetermined' });
});

test('a session id that a response leaves out means nothing', () => {
  const story = new Story({ rules: [{ fault: 'drop-session-id', control: true }] });
  const client = story.client().initialize();
  const call = client.call('count', { to: 1 }, { respond: false });
  const decision = story.decide('drop-session-id', {}, call.exchange);
  story.apply(decision, { exchange: call.exchange, seam: 'head' });
  client.head(call.exchange, 200, 'application/json', { session: null, decision });
  client.bytes(call.exchange, 'both', JSON.stringify(call.answerMessage()));
  client.end(call.exchange, 'complete', 'upstream', 'both');
  story.after(5);
  client.call('count', { to: 2 }).answer('1000001');
  const report = story.exit().judge();
  const kept = report.findings.find(({ obligation }) => obligation === 'keeps-session-id');
  expect(kept).toMatchObject({ outcome: 'recovered', verdict: 'held', detectability: 'none' });
  expect(report.coverage.falseAlarms.count).toBe(0);
});
