import type { Contract } from '../../../src/cursor/contract.ts';
import { type Call, type Client, type Leg, Story, type StoryOptions, stranger } from '../story.ts';
import type { ObligationStories } from './obligation-stories.ts';

interface Resumed {
  readonly story: Story;
  readonly client: Client;
  readonly call: Call;
  readonly leg: Leg;
  readonly decision: string;
}

interface Ids {
  readonly seen: readonly string[];
  readonly due: readonly string[];
}

// biome-ignore lint/suspicious/noThenProperty: it is the fault's parameter.
const freshIds = { then: 'fresh-ids' };
const streamIds: Ids = { seen: ['1', '2'], due: ['3', '4', '5'] };

/** A call dropped after its second event and resumed; its answer is among the three events that it missed. */
export function resumed(
  fault: string,
  options: StoryOptions = {},
  ids: Ids = streamIds,
  params = {},
): Resumed {
  const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault, control: false }], ...options });
  const client = story.client().initialize();
  const call = client.call();
  const decision = call.preludeTo(fault, params, ids.seen);
  call.missed(2, true);
  story.after(1000);
  const leg = call.resume(ids.seen.at(-1)!, { decision, due: { ids: ids.due, answers: true } });
  return { story, client, call, leg, decision };
}

/** The client notices nothing and runs into its own timeout. */
export function timesOut({ story, client, call }: Resumed): Story {
  story.after(2000);
  client.cancel(call, 'timeout');
  return story.exit(1);
}

/** The client leaves the stream at once and begins a new session. */
function resets({ story, client, leg }: Resumed): Story {
  story.after(4);
  leg.abort();
  client.initialize();
  return story.exit();
}

function regression(contract: Contract, ids: Ids, first: string): Resumed {
  const told = resumed('regress-cursor', { contract }, ids);
  told.leg.show(first, stranger(1), told.decision);
  return told;
}

const epochIds: Ids = { seen: ['1:1', '1:2'], due: ['1:3', '1:4', '1:5'] };

function gapOverProgress(): Resumed {
  const told = resumed('skip-events', {}, streamIds, { over: 'events' });
  told.leg.show('4', told.call.progressMessage(4), told.decision);
  told.leg.show('5', told.call.answerMessage(), told.decision);
  told.leg.complete();
  return told;
}

function gapOverAnswer(contract: Contract = 'monotonic:stream'): Resumed {
  const told = resumed('skip-events', { contract }, streamIds, { over: 'answer' });
  told.leg.show('6', stranger(1), told.decision);
  return told;
}

export const validatesResumedCursor: ObligationStories = {
  slug: 'validates-resumed-cursor',
  holds: {
    'a lower id, and a new session at once': () => resets(regression('monotonic:stream', streamIds, '0')),
    'another epoch, and a new session at once': () => resets(regression('epoch', epochIds, '2:3')),
    'a gap over the answer, and a new session at once': () => resets(gapOverAnswer()),
    'the call is rejected early, and the session goes on': () => {
      const { story, client, call, leg } = regression('monotonic:stream', streamIds, '0');
      story.after(4);
      leg.abort();
      client.cancel(call, 'desync');
      client.call('echo').answer('1000001');
      return story.exit();
    },
    'everything again from the start, with the content it had: nothing is lost': () => {
      const { story, client, call, leg, decision } = resumed('replay-from-start');
      for (const step of [1, 2, 3, 4]) leg.show(String(step), call.progressMessage(step), decision);
      leg.show('5', call.answerMessage(), decision);
      leg.complete();
      client.delete();
      return story.exit();
    },
  },
  violates: {
    'a lower id, and the client waits for its timeout': () =>
      timesOut(regression('monotonic:stream', streamIds, '0')),
    'the same with one counter a session': () => timesOut(regression('monotonic:session', streamIds, '0')),
    'another epoch': () => timesOut(regression('epoch', epochIds, '2:3')),
    'a gap over the answer': () => timesOut(gapOverAnswer()),
    'a gap over progress, and the client takes the answer': () => {
      const { story } = gapOverProgress();
      return story.exit();
    },
    "another stream's event": () => {
      const story = new Story({
        clientTimeoutMs: 3000,
        rules: [{ fault: 'replay-foreign-stream', control: false }],
      });
      const client = story.client().initialize();
      const other = client.call('echo').progress('1000001');
      const call = client.call();
      const decision = call.preludeTo('replay-foreign-stream', {}, ['1', '2']);
      call.missed(2, true);
      const leg = call.resume('2', { decision, due: { ids: ['3', '4', '5'], answers: true } });
      leg.show('1000001', other.progressMessage(1), decision);
      other.answer('1000002');
      story.after(3000);
      client.cancel(call);
      return story.exit(1);
    },
  },
  alone: {
    'opaque ids: a regression means nothing': () =>
      timesOut(regression('opaque', { seen: ['a8', 'a9'], due: ['b1', 'b2', 'b3'] }, 'a1')),
    'one counter a session: a gap is normal': () => timesOut(gapOverAnswer('monotonic:session')),
    'a coherent resumption': () => {
      const { story, client, call, leg } = resumed('drop-stream');
      leg.show('3', call.progressMessage(3));
      leg.show('4', call.progressMessage(4));
      leg.show('5', call.answerMessage());
      leg.complete();
      client.delete();
      return story.exit();
    },
    'a client without a cursor': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      client.listen();
      const call = client.call();
      call.progress('1', '2');
      call.drop('fin');
      story.after(1000);
      const bare = client.get();
      client.refuse(bare, 409);
      story.after(2000);
      client.cancel(call);
      return story.exit(1);
    },
    'a torn-down client': () => {
      const { story, client, leg } = regression('monotonic:stream', streamIds, '0');
      story.after(1500);
      leg.abort();
      client.delete();
      return story.exit(1);
    },
    "upstream's own disorder": () => {
      const story = new Story({ clientTimeoutMs: 3000, contract: 'opaque' });
      const client = story.client().initialize();
      const call = client.call();
      call.progress('a', 'b');
      client.end(call.exchange, 'fin', 'upstream', 'both');
      story.after(1000);
      const leg = call.resume('b', { from: 'upstream' });
      client.bytes(leg.exchange, 'both', `id: a\ndata: ${JSON.stringify(call.progressMessage(1))}\n\n`);
      story.after(2000);
      client.cancel(call);
      return story.exit(1);
    },
  },
};

export const noticesMissingReplay: ObligationStories = {
  slug: 'notices-missing-replay',
  holds: {
    'fresh ids, and a new session at once': () => {
      const told = resumed('swallow-replay', {}, streamIds, freshIds);
      told.leg.show('1002', stranger(1), told.decision);
      return resets(told);
    },
    'silence, and a new session after a deadline of its own': () => {
      const told = resumed('swallow-replay');
      told.story.after(1500);
      return resets(told);
    },
  },
  violates: {
    'fresh ids, and the client waits for its timeout': () => {
      const told = resumed('swallow-replay', {}, streamIds, freshIds);
      told.leg.show('1002', stranger(1), told.decision);
      return timesOut(told);
    },
    'silence, and the client waits for its timeout': () => timesOut(resumed('swallow-replay')),
    'silence, and it hangs': () => {
      const { story, leg } = resumed('swallow-replay', { clientTimeoutMs: 60_000 });
      story.after(10_000).deadline(leg.since);
      leg.abort();
      return story.exit(1);
    },
    'the session was restarted behind its id, and nothing comes': () => {
      const story = new Story({
        clientTimeoutMs: 3000,
        rules: [{ fault: 'restart-session', control: false }],
      });
      const client = story.client().initialize();
      const call = client.call();
      const decision = story.decide('restart-session', {}, call.exchange);
      call.progress('1', '2');
      story.apply(decision, { exchange: call.exchange, stream: call.stream });
      client.end(call.exchange, 'fin', 'proxy', 'upstream', decision);
      story.record({ kind: 'session-restarted', lane: 's1', session: client.session!, epoch: 2, decision });
      call.drop('fin', decision);
      story.after(1000);
      call.resume('2', { due: { ids: [], answers: false } });
      story.after(2000);
      client.cancel(call);
      return story.exit(1);
    },
  },
  alone: {
    'silence where nothing was missed, then the answer': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      const call = client.call();
      call.progress('1', '2');
      call.drop('fin');
      story.after(1000);
      const leg = call.resume('2');
      story.after(1500);
      call.upstream(call.answerMessage());
      leg.show('3', call.answerMessage());
      leg.complete();
      return story.exit();
    },
    'upstream never answers the call': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      const call = client.call();
      call.progress('1', '2');
      call.drop('fin');
      story.after(1000);
      call.resume('2');
      story.after(2000);
      client.cancel(call);
      return story.exit(1);
    },
  },
};

export const checksReplayedDigest: ObligationStories = {
  slug: 'checks-replayed-digest',
  holds: {
    'the last event again with other content, and a new session at once': () => {
      const told = resumed('diverge-replay', {}, streamIds, { repeatLast: true });
      told.leg.show('2', stranger(4), told.decision);
      return resets(told);
    },
  },
  violates: {
    'the last event again with other content, and the client waits for its timeout': () => {
      const told = resumed('diverge-replay', {}, streamIds, { repeatLast: true });
      told.leg.show('2', stranger(4), told.decision);
      told.leg.show('3', stranger(1), told.decision);
      return timesOut(told);
    },
  },
  alone: {
    'ids that go on, with nothing repeated to compare': () => {
      const told = resumed('diverge-replay');
      told.leg.show('3', stranger(1), told.decision);
      told.leg.show('4', stranger(2), told.decision);
      return timesOut(told);
    },
    'the last event again with the content it had': () => {
      const { story, client, call, leg, decision } = resumed('repeat-last-event');
      leg.show('2', call.progressMessage(2), decision);
      leg.show('3', call.progressMessage(3), decision);
      leg.show('4', call.progressMessage(4), decision);
      leg.show('5', call.answerMessage(), decision);
      leg.complete();
      client.delete();
      return story.exit();
    },
  },
};
