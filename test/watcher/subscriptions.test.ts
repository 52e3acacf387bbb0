/** The stand-alone stream: no call waits on it, so what the client does with its session decides. */
import { expect, describe as group, test } from 'vitest';
import { type Client, type Leg, type Listening, Story, type StoryOptions, stranger } from './story.ts';

interface Told {
  readonly story: Story;
  readonly client: Client;
  readonly listening: Listening;
  readonly leg: Leg;
  readonly decision: string;
}

/** Dropped after event 8 and resumed into event 2 of another incarnation; a change was missed. */
function regressed(options: StoryOptions = {}): Told {
  const story = new Story({ deadlineMs: 5000, ...options });
  const client = story.client().initialize();
  const listening = client.listen();
  const decision = story.decide('regress-cursor', { to: 2 }, listening.exchange);
  listening.changed('7', 1).changed('8', 2);
  story.apply(decision, { exchange: listening.exchange, stream: listening.stream, prelude: true });
  listening.drop('fin', decision);
  listening.upstream({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  story.after(1000);
  const leg = listening.resume('8', { decision, due: { ids: ['9'], answers: false } });
  leg.show('2', stranger(1), decision);
  return { story, client, listening, leg, decision };
}

group('resumed into a lower id', () => {
  test('is accepted where the client works on', () => {
    const { story, client } = regressed();
    story.after(800);
    client.call().answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({
      obligation: 'validates-resumed-cursor',
      level: 'CONTRACT',
      request: null,
      outcome: 'accepted',
      verdict: 'violated',
      detected: false,
    });
  });

  test('is nothing yet where a call crosses it', () => {
    const { story, client } = regressed();
    story.after(5);
    client.call().answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'undetermined' });
  });

  test('is accepted where the client listens to it for a whole deadline', () => {
    const { story, leg } = regressed();
    story.after(5000).deadline(leg.since);
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'accepted', verdict: 'violated' });
  });

  test('is reset where the client leaves it and listens anew', () => {
    const { story, client, leg } = regressed();
    story.after(5);
    leg.abort();
    client.listen();
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'reset', verdict: 'held', detected: true });
  });

  test('is surfaced where the client leaves it and its session goes on', () => {
    const { story, client, leg } = regressed();
    story.after(5);
    leg.abort();
    client.call().answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held' });
  });

  test('is no reset where the test merely ended and the next one has its own client', () => {
    const { story, client, leg } = regressed();
    story.after(5);
    leg.abort();
    client.delete();
    story.client().initialize().call().answer('1');
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'undetermined' });
  });

  test('is reset where the same client begins a new session', () => {
    const story = new Story();
    const client = story.client().initialize();
    client.call('echo').answer('1000001');
    const listening = client.listen();
    const decision = story.decide('regress-cursor', {}, listening.exchange);
    listening.changed('7', 1).changed('8', 2);
    listening.drop('fin', decision);
    const leg = listening.resume('8', { decision, due: { ids: ['9'], answers: false } });
    leg.show('2', stranger(1), decision);
    story.after(5);
    leg.abort();
    client.initialize();
    story.exit();
    expect(story.finding()).toMatchObject({ outcome: 'reset', verdict: 'held' });
  });

  test('is advice where nothing but progress was lost', () => {
    const story = new Story();
    const client = story.client().initialize();
    const listening = client.listen();
    const decision = story.decide('regress-cursor', {}, listening.exchange);
    listening.changed('7', 1).changed('8', 2);
    listening.drop('fin', decision);
    const leg = listening.resume('8', { decision, due: { ids: ['9'], answers: false } });
    leg.show('2', stranger(1), decision);
    story.after(800);
    client.call().answer('1000001');
    story.exit();
    expect(story.finding()).toMatchObject({ level: 'ADVICE', outcome: 'accepted', verdict: 'violated' });
  });
});

group('broken', () => {
  function broken(): Omit<Told, 'leg'> & { readonly ended: number } {
    const story = new Story({ deadlineMs: 3000, rules: [{ fault: 'drop-stream', control: true }] });
    const client = story.client().initialize();
    const listening = client.listen();
    const decision = story.decide('drop-stream', {}, listening.exchange);
    listening.changed('1');
    story.apply(decision, { exchange: listening.exchange, stream: listening.stream });
    return { story, client, listening, decision, ended: listening.drop('fin', decision) };
  }

  test('and resumed coherently it is survived, as soon as something comes', () => {
    const { story, listening } = broken();
    const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
    listening.upstream(message);
    story.after(1000);
    const leg = listening.resume('1', { due: { ids: ['2'], answers: false } });
    leg.show('2', message);
    expect(story.finding()).toMatchObject({
      obligation: 'survives-controls',
      outcome: 'recovered',
      verdict: 'held',
      latencyMs: 1000,
    });
  });

  test('and resumed where nothing was missed it is survived once the client works on', () => {
    const { story, client, listening } = broken();
    story.after(1000);
    listening.resume('1');
    expect(story.finding().outcome).toBe('undetermined');
    client.call().answer('1000001');
    expect(story.finding()).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  });

  test('and opened again without a cursor by a client that keeps none, it is recovered', () => {
    const { story, client } = broken();
    story.after(1000);
    client.listen();
    expect(story.finding()).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  });

  test('and the replay is swallowed: nobody could know, so it is listed and not held against the client', () => {
    const { story, client, listening, decision } = broken();
    listening.upstream({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    story.after(1000);
    listening.resume('1', { decision, due: { ids: ['2'], answers: false } });
    story.after(800);
    client.call().answer('1000001');
    expect(story.finding()).toMatchObject({
      obligation: 'notices-missing-replay',
      detectability: 'none',
      outcome: 'accepted',
      verdict: 'moot',
    });
  });
});

test('a stand-alone stream that is refused with 409 leaves the calls alone', () => {
  const story = new Story({ rules: [{ fault: 'refuse-get', control: false }] });
  const client = story.client().initialize();
  const exchange = client.get();
  const decision = story.decide('refuse-get', { status: 409 }, exchange);
  story.apply(decision, { exchange, seam: 'request' });
  client.refuse(exchange, 409, decision);
  client.call().answer('1000001');
  client.delete();
  story.exit();
  expect(story.finding()).toMatchObject({
    obligation: 'survives-controls',
    outcome: 'recovered',
    verdict: 'held',
  });
});
