/** The process behind an upstream ends: for a decision, or by itself. */
import { describe, expect, test } from 'vitest';
import { Story } from './story.ts';

function stopped(story: Story, decision: string): void {
  story.record({ kind: 'upstream-process', upstream: 'embedded', state: 'stopping', decision });
}
const rules = [{ fault: 'kill-upstream', control: false }];

describe('ended by a decision', () => {
  test('a client that tries to resume while nobody is there, and begins anew at the 404, has done what it must', () => {
    const story = new Story({ rules, deadlineMs: 500 });
    const client = story.client().initialize();
    const call = client.call('count').progress('1001', '1002');
    const decision = story.decide('kill-upstream', {}, call.exchange);
    story.apply(decision, { exchange: call.exchange, stream: call.stream });
    stopped(story, decision);
    call.drop('fin', decision);
    for (const status of [502, 502, 502, 404]) {
      story.after(1000);
      client.refuse(client.get('1002'), status);
    }
    story.record({ kind: 'upstream-process', upstream: 'embedded', state: 'started' });
    client.renumber().initialize();
    client.call('count').answer('1001');
    story.exit();
    expect(story.under('reinitialises-after-404')).toMatchObject({
      fault: 'kill-upstream',
      outcome: 'recovered',
      verdict: 'held',
    });
  });

  test("what another session meets is that decision's doing, and a session begun afterwards has nothing to do with it", () => {
    const story = new Story({ rules, deadlineMs: 500 });
    const culprit = story.client({ scope: 'culprit' }).initialize();
    const other = story.client({ scope: 'other' }).initialize();
    const waiting = other.call('count').progress('1001');
    const decision = story.decide('kill-upstream', {}, culprit.call('count').exchange);
    stopped(story, decision);
    waiting.drop('reset');
    story.record({ kind: 'upstream-process', upstream: 'embedded', state: 'started' });
    const later = story.client({ scope: 'later' }).initialize();
    const own = later.call('count').progress('1001');
    own.drop('fin');
    story.after(2000).exit();
    const faults = Object.fromEntries(
      story.judge().findings.map(({ scope, fault, decision: by }) => [scope, [fault, by]]),
    );
    expect(faults).toMatchObject({ other: ['kill-upstream', decision], later: ['natural:broken', null] });
  });
});

test('a call that its client had cancelled is owed nothing when its server then goes away', () => {
  const story = new Story({ rules, deadlineMs: 500 });
  const client = story.client().initialize();
  const call = client.call('slow', {}, { respond: false });
  client.cancel(call);
  const refused = client.refuse(call.exchange, 502);
  story.after(600).deadline(refused).exit();
  expect(story.judge().findings).toEqual([]);
});

describe('ended by itself', () => {
  /** The connections are seen to break before the process is seen to have ended. */
  function crashed(order: 'told first' | 'seen first'): Story {
    const story = new Story({ rules, deadlineMs: 500, clientTimeoutMs: 2000 });
    const client = story.client().initialize();
    const call = client.call('count').progress('1001');
    const ended = (): void =>
      void story.record({
        kind: 'upstream-process',
        upstream: 'embedded',
        state: 'ended',
        why: 'exit code 1',
      });
    if (order === 'told first') ended();
    const broken = call.client.end(call.exchange, 'fin', 'upstream', 'both');
    if (order === 'seen first') {
      story.after(20);
      ended();
    }
    story.after(600).deadline(broken);
    story.after(1400);
    client.cancel(call);
    story.exit(1);
    return story;
  }

  test.each(['told first', 'seen first'] as const)('is held against nobody (%s)', (order) => {
    const story = crashed(order);
    const { findings, notes, coverage } = story.judge();
    expect(findings.map(({ verdict }) => verdict)).toEqual(['moot']);
    expect(findings[0]!.message.did).toContain('the server had ended by itself');
    expect(notes.join()).toContain('ended by itself (exit code 1)');
    expect(coverage.detection.total).toBe(0);
  });

  test('what had happened long before stays what it was', () => {
    const story = new Story({ rules, deadlineMs: 500, clientTimeoutMs: 2000 });
    const client = story.client().initialize();
    const call = client.call('count').progress('1001');
    const broken = call.client.end(call.exchange, 'fin', 'upstream', 'both');
    story.after(600).deadline(broken);
    story.after(1400);
    client.cancel(call);
    story.after(5000).record({
      kind: 'upstream-process',
      upstream: 'embedded',
      state: 'ended',
      why: 'exit code 1',
    });
    story.exit(1);
    expect(story.judge().findings.map(({ verdict }) => verdict)).toEqual(['violated']);
  });
});
