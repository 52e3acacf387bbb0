/**
 * A notification that never comes on a stream that never breaks. What a client may know of it hangs on the
 * contract; that it must know of it, no text says (F41, F72 and both seeds are about resumptions).
 */
import { expect, describe as group, test } from 'vitest';
import type { Contract } from '../../src/cursor/contract.ts';
import { exitCode } from '../../src/watcher/policy.ts';
import { type Call, type Client, type Listening, Story, type StoryOptions } from './story.ts';

const rules = [{ fault: 'swallow-notification', control: false }];

interface Told {
  readonly story: Story;
  readonly client: Client;
  readonly call: Call;
}

/** Of three parts the second is swallowed, and the third shown under the last of these ids. */
function partLost(
  contract: Contract = 'monotonic:stream',
  ids = ['1', '3'],
  options: StoryOptions = {},
): Told {
  const story = new Story({ contract, clientTimeoutMs: 3000, rules, ...options });
  const client = story.client().initialize();
  const call = client.call();
  const decision = story.decide('swallow-notification', {}, call.exchange);
  call.progress(ids[0]!);
  swallow(story, call, decision, call.progressMessage(2));
  story.after(50);
  call.both(ids[1], call.progressMessage(3));
  return { story, client, call };
}

function swallow(story: Story, streaming: Call | Listening, decision: string, message: object): void {
  streaming.upstream(message);
  story.apply(decision, { exchange: streaming.exchange, stream: streaming.stream, effects: 'withhold' });
}

const seamless = ['1', '2'];

group('a part that is lost, and the answer comes', () => {
  test.each([
    ['monotonic:stream', ['1', '3'], 'definite', 'validates-resumed-cursor'],
    ['epoch', ['1:1', '1:3'], 'definite', 'validates-resumed-cursor'],
    ['monotonic:session', ['1', '3'], 'none', 'survives-controls'],
    ['opaque', ['a', 'c'], 'none', 'survives-controls'],
    ['monotonic:stream', seamless, 'none', 'survives-controls'],
  ] as const)('under %s, ids %j: %s, and nobody is blamed', (contract, ids, detectability, obligation) => {
    const { story, client, call } = partLost(contract, [...ids]);
    const next = contract === 'epoch' ? '1:4' : '4';
    call.answer(ids[1] === '2' ? '3' : next);
    client.delete();
    const report = story.exit().judge();
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      obligation,
      level: 'ADVICE',
      detectability,
      outcome: 'recovered',
      verdict: 'held',
      detected: null,
    });
    expect(exitCode(report)).toBe(0);
  });

  test('a second one that is lost takes nothing back of what the first one showed', () => {
    const { story, call } = partLost();
    swallow(story, call, 'd', call.progressMessage(4));
    call.answer('5');
    expect(story.exit().finding()).toMatchObject({ detectability: 'definite', verdict: 'held' });
  });

  test('a change that was told on its stream leaves old state behind, and that is moot', () => {
    const story = new Story({ rules });
    const call = story.client().initialize().call();
    call.progress('1');
    swallow(story, call, story.decide('swallow-notification', {}, call.exchange), {
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
    });
    call.answer('3');
    expect(story.exit().finding()).toMatchObject({ outcome: 'accepted', verdict: 'moot', level: 'ADVICE' });
  });

  test('says what was shown', () => {
    const { story, call } = partLost();
    call.answer('4');
    expect(story.exit().finding().message.shown).toBe(
      'id 3 right after id 1, on a stream that had not broken; what lies between was not shown.',
    );
  });

  test('where nothing says so, neither does the finding claim it', () => {
    const { story, call } = partLost('monotonic:stream', seamless);
    call.answer('3');
    expect(story.exit().finding().message.shown).toBe(
      'one event less than upstream had sent, and nothing that says so.',
    );
  });

  test('a stream of which nothing is missing has no finding', () => {
    const story = new Story({ rules });
    story.client().initialize().call().progress('1', '2').answer('3');
    expect(story.exit().judge().findings).toEqual([]);
  });
});

group('a gap on a stream that did not break', () => {
  test.each([
    ['monotonic:stream', ['1', '3']],
    ['epoch', ['1:1', '1:3']],
    ['monotonic:session', ['1', '3']],
    ['opaque', ['a', 'c']],
  ] as const)('%s: a server that is too slow is not held against the client', (contract, ids) => {
    const { story, client, call } = partLost(contract, [...ids]);
    story.after(3000);
    client.cancel(call, 'timeout');
    const report = story.exit(1).judge();
    expect(report.findings.map(({ verdict }) => verdict)).toEqual(['moot']);
    expect(report.coverage.detection).toEqual({ detected: 0, total: 0 });
    expect(exitCode(report)).toBe(0);
  });

  test('says why nobody is blamed', () => {
    const { story, client, call } = partLost();
    story.after(3000);
    client.cancel(call, 'timeout');
    expect(story.exit(1).finding().message.did).toContain(
      'moot: no text asks a client to watch the ids of a stream that did not break',
    );
  });

  test('may be acted on: the call is rejected, and the session goes on', () => {
    const { story, client, call } = partLost();
    story.after(5);
    client.cancel(call, 'event gap');
    client.call('echo').answer('1000001');
    expect(story.exit().finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held', detected: true });
  });

  test('may be acted on: a new session is no false alarm', () => {
    const { story, client, call } = partLost();
    story.after(5);
    call.abort();
    client.initialize();
    client.call().answer('1');
    const report = story.exit().judge();
    expect(report.findings[0]).toMatchObject({ outcome: 'recovered', verdict: 'held', detected: true });
    expect(report.coverage.falseAlarms).toEqual({ count: 0, total: 0 });
  });

  test('may be acted on though the answer was there: the new session goes on with its numbers', () => {
    const { story, client, call } = partLost();
    call.answer('4');
    story.after(5);
    client.initialize();
    client.call().answer('1');
    expect(story.exit().finding()).toMatchObject({ outcome: 'recovered', verdict: 'held', detected: true });
  });

  test('is no reason to die', () => {
    const { story } = partLost();
    story.after(5);
    expect(story.exit(null, 'SIGSEGV').finding()).toMatchObject({ outcome: 'crashed', verdict: 'violated' });
  });

  test('does not excuse from resuming when the stream breaks later', () => {
    const { story, client, call } = partLost();
    call.drop('fin');
    call.missed(1, true);
    story.after(3000);
    client.cancel(call, 'timeout');
    expect(story.exit(1).finding()).toMatchObject({
      obligation: 'resumes-after-drop',
      level: 'SHOULD',
      outcome: 'timed-out',
      verdict: 'violated',
    });
  });

  test('a stand-alone stream that is opened meanwhile is not taken for a way back to it', () => {
    const { story, client, call } = partLost();
    client.get();
    call.answer('4');
    expect(story.exit().finding()).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  });
});

group('an id that stands for another event already', () => {
  /** The third event comes under this id; the session has had one call before, whose events were 1000001 and 1000002. */
  function reused(contract: Contract, ids: readonly string[], id: string): Told {
    const story = new Story({
      contract,
      clientTimeoutMs: 3000,
      rules: [{ fault: 'collide-ids', control: false }],
    });
    const client = story.client().initialize();
    client.call('echo').progress('1000001').answer('1000002');
    const call = client.call();
    const decision = story.decide('collide-ids', {}, call.exchange);
    call.progress(...ids);
    call.upstream(call.progressMessage(3));
    story.apply(decision, { exchange: call.exchange, stream: call.stream });
    call.show(id, call.progressMessage(3), decision);
    return { story, client, call };
  }

  test.each([
    ['monotonic:stream', ['1', '2'], '2', 'its stream'],
    ['monotonic:session', ['1', '2'], '1', 'its stream'],
    ['epoch', ['1:1', '1:2'], '1:2', 'its stream'],
    ['opaque', ['a', 'b'], 'a', 'its stream'],
    ['opaque', ['a', 'b'], '1000002', 'its session, on another stream'],
    ['monotonic:stream', ['1', '2'], '1000001', 'its session, on another stream'],
  ] as const)('%s, %j and then %s: can be known, and nobody has to', (contract, ids, id, whose) => {
    const { story, client, call } = reused(contract, ids, id);
    call.answer();
    client.delete();
    const report = story.exit().judge();
    expect(report.findings).toHaveLength(1);
    expect(report.findings[0]).toMatchObject({
      obligation: 'checks-replayed-digest',
      level: 'ADVICE',
      detectability: 'definite',
      outcome: 'recovered',
      verdict: 'held',
      detected: null,
      message: { shown: `id ${id}, which stands for another event of ${whose} already.` },
    });
    expect(exitCode(report)).toBe(0);
  });

  test('a server that is too slow is not held against the client', () => {
    const { story, client, call } = reused('opaque', ['a', 'b'], 'b');
    story.after(3000);
    client.cancel(call, 'timeout');
    expect(story.exit(1).finding()).toMatchObject({ outcome: 'timed-out', verdict: 'moot' });
  });

  test('may be acted on: the call is rejected, and the session goes on', () => {
    const { story, client, call } = reused('opaque', ['a', 'b'], 'b');
    story.after(5);
    client.cancel(call, 'an id came again with other content');
    client.call('echo', { text: 'next' }).answer('3000001');
    expect(story.exit().finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held', detected: true });
  });

  test('may be acted on: a new session is no false alarm', () => {
    const { story, client, call } = reused('monotonic:stream', ['1', '2'], '2');
    story.after(5);
    call.abort();
    client.initialize();
    client.call().answer('1');
    expect(story.exit().finding()).toMatchObject({ outcome: 'recovered', verdict: 'held', detected: true });
  });

  test('is no reason to die', () => {
    const { story } = reused('opaque', ['a', 'b'], 'b');
    story.after(5);
    expect(story.exit(null, 'SIGSEGV').finding()).toMatchObject({ outcome: 'crashed', verdict: 'violated' });
  });

  test('the same event again is none', () => {
    const story = new Story({ contract: 'opaque', rules });
    const call = story.client().initialize().call();
    call.progress('a');
    call.show('a', call.progressMessage(1), story.decide('collide-ids', {}, call.exchange));
    call.answer('b');
    expect(story.exit().judge().findings).toEqual([]);
  });

  test('an upstream that numbers each stream from 1 is left to itself', () => {
    const story = new Story({ contract: 'opaque', rules });
    const client = story.client().initialize();
    client.call('echo', { text: 'a' }).progress('1').answer('2');
    client.call('echo', { text: 'b' }).progress('1').answer('2');
    expect(story.exit().judge().findings).toEqual([]);
  });

  test('on a resumed stream it is the digest of seed 2 that tells, by contract', () => {
    const { story, client, call } = reused('opaque', ['a', 'b'], 'c');
    call.drop('fin');
    call.missed(1, true);
    story.after(500);
    const leg = call.resume('c', { due: { ids: ['d', 'e'], answers: true } });
    leg.show('c', call.progressMessage(9), 'd');
    story.after(2500);
    client.cancel(call, 'timeout');
    expect(story.exit(1).finding()).toMatchObject({
      obligation: 'checks-replayed-digest',
      level: 'CONTRACT',
    });
  });
});

group('after a resumption', () => {
  /** Dropped after event 2 and resumed; these ids come then, the last one with the answer. */
  function resumedTo(due: readonly string[], shown: readonly string[]): Story {
    const story = new Story({ clientTimeoutMs: 3000, rules });
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('swallow-notification', {}, call.exchange);
    call.progress('1', '2');
    call.drop('fin');
    call.missed(3, true);
    story.after(1000);
    const leg = call.resume('2', { due: { ids: due, answers: false } });
    for (const [index, id] of shown.entries()) {
      const last = index === shown.length - 1;
      leg.show(id, last ? call.answerMessage() : call.progressMessage(Number(id)), decision);
    }
    leg.complete();
    client.delete();
    return story.exit();
  }

  test('the first event is the contract’s affair', () => {
    expect(resumedTo([], ['4', '5', '6']).finding()).toMatchObject({
      obligation: 'validates-resumed-cursor',
      message: { shown: 'resumed after id 2 and was shown id 4; what lies between was not.' },
    });
  });

  test('so is all that was due', () => {
    expect(resumedTo(['3', '4', '5'], ['3', '5', '6']).finding().message.shown).toContain(
      'id 5 right after id 3; what lies between was not',
    );
  });

  test('what comes later is live again, and the resumption is judged by itself', () => {
    expect(resumedTo(['3'], ['3', '5', '6']).finding()).toMatchObject({
      fault: 'natural:broken',
      outcome: 'recovered',
      verdict: 'held',
    });
  });
});

group('the stand-alone stream', () => {
  const note = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'note://lost' } };
  const line = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'lost' } };

  interface Heard {
    readonly story: Story;
    readonly client: Client;
    readonly listening: Listening;
  }

  /** A notification is lost, and the next one comes under this id. */
  function lost(message: object, nextId?: string, contract: Contract = 'monotonic:stream'): Heard {
    const story = new Story({ deadlineMs: 5000, contract, rules });
    const client = story.client().initialize();
    const listening = client.listen();
    const decision = story.decide('swallow-notification', {}, listening.exchange);
    listening.changed('1', 1);
    swallow(story, listening, decision, message);
    story.after(100);
    if (nextId !== undefined) listening.changed(nextId, 2);
    return { story, client, listening };
  }

  const worksOn = ({ story, client }: Heard) => {
    story.after(1000);
    client.call().answer('1000001');
    return story.exit().finding();
  };

  test.each([
    ['a gap', '3', 'monotonic:stream', 'definite'],
    ['ids that close up', '2', 'monotonic:stream', 'none'],
    ['one counter a session', '3', 'monotonic:session', 'none'],
    ['nothing after it', undefined, 'monotonic:stream', 'none'],
  ] as const)(
    'a change, %s: what the client knows is out of date, and that is moot',
    (_, id, contract, known) => {
      expect(worksOn(lost(note, id, contract))).toMatchObject({
        request: null,
        level: 'ADVICE',
        detectability: known,
        outcome: 'accepted',
        verdict: 'moot',
      });
    },
  );

  test.each(['3', '2', undefined])('a line of the log, then id %s: nothing that anybody needed', (id) => {
    expect(worksOn(lost(line, id))).toMatchObject({ outcome: 'recovered', verdict: 'held', detected: null });
  });

  test('a change is made good by asking for what it was about', () => {
    const { story, client } = lost(note, '3');
    story.after(1000);
    client.post({ jsonrpc: '2.0', id: 9, method: 'resources/read', params: { uri: 'note://lost' } });
    expect(story.exit().finding()).toMatchObject({
      outcome: 'recovered',
      verdict: 'held',
      message: { did: 'asked for resources/read after 1000 ms.' },
    });
  });

  test('a client that leaves it and listens anew has noticed', () => {
    const { story, client, listening } = lost(note, '3');
    story.after(5);
    listening.abort();
    client.listen();
    expect(story.exit().finding()).toMatchObject({ outcome: 'reset', verdict: 'held', detected: true });
  });

  test('a client that comes back with an earlier cursor, and is given the change, has lost nothing', () => {
    const { story, client, listening } = lost(note, '3');
    listening.abort();
    const leg = listening.resume('1', { due: { ids: ['2', '3'], answers: false } });
    leg.show('2', note);
    // What it had behind that cursor comes again with it.
    leg.show('3', { ...note, params: { uri: 'test://2' } });
    story.after(1000);
    client.call().answer('1000001');
    expect(story.exit().finding()).toMatchObject({ outcome: 'recovered', verdict: 'held' });
  });

  test('a client that leaves it and works on has noticed', () => {
    const { story, client, listening } = lost(note, '3');
    story.after(5);
    listening.abort();
    client.call().answer('1000001');
    expect(story.exit().finding()).toMatchObject({ outcome: 'surfaced', verdict: 'held', detected: true });
  });

  test('a client that begins a new session has noticed', () => {
    const { story, client, listening } = lost(note, '3');
    client.call().answer('1000001');
    story.after(5);
    listening.abort();
    client.initialize();
    expect(story.exit().finding()).toMatchObject({ outcome: 'reset', verdict: 'held', detected: true });
  });

  test('listening on for a whole deadline is moot as well', () => {
    const { story } = lost(note, '3');
    const since = story.facts.length;
    story.after(5000).deadline(since);
    expect(story.exit().finding()).toMatchObject({ outcome: 'accepted', verdict: 'moot' });
  });

  test('so is listening until the end', () => {
    expect(lost(note, '3').story.exit().finding()).toMatchObject({ outcome: 'accepted', verdict: 'moot' });
  });

  test.each([
    [5, 'undetermined', 'undetermined'],
    [1000, 'accepted', 'moot'],
  ])('a client that ends its session after %i ms: %s', (ms, outcome, verdict) => {
    const { story, client } = lost(note, '3');
    story.after(ms);
    client.delete();
    expect(story.exit().finding()).toMatchObject({ outcome, verdict });
  });

  test('that breaks later is to be resumed like any other', () => {
    const { story, client, listening } = lost(note, '3');
    const ended = listening.drop('complete');
    story.after(5000).deadline(ended).after(500);
    client.call('echo').answer('1000001');
    expect(story.exit().finding()).toMatchObject({ obligation: 'resumes-after-drop', verdict: 'violated' });
  });
});
