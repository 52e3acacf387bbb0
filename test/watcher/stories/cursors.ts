import { type Call, type Client, Story, type StoryOptions } from '../story.ts';
import type { ObligationStories } from './obligation-stories.ts';

interface Dropped {
  readonly story: Story;
  readonly client: Client;
  readonly call: Call;
  readonly decision: string;
}

/** A call dropped after event 2, with a stand-alone stream beside it so that a bare GET is the call's. */
function dropped(
  fault = 'drop-stream',
  options: StoryOptions = {},
  how: 'fin' | 'reset' | 'complete' = 'fin',
): Dropped {
  const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault, control: true }], ...options });
  const client = story.client().initialize();
  client.listen();
  const call = client.call();
  const decision = story.decide(fault, {}, call.exchange);
  call.progress('1', '2');
  story.after(400);
  story.apply(decision, { exchange: call.exchange, stream: call.stream });
  call.drop(how, decision);
  call.missed(1, true);
  return { story, client, call, decision };
}

const due = { ids: ['3', '4'], answers: true };

function resumesAndIsAnswered({ story, client, call }: Dropped, cursor = '2'): Story {
  const leg = call.resume(cursor, { due });
  leg.show('3', call.progressMessage(3));
  leg.show('4', call.answerMessage());
  leg.complete();
  client.delete();
  return story.exit();
}

function timesOut({ story, client, call }: Dropped): Story {
  story.after(3000);
  client.cancel(call);
  return story.exit(1);
}

export const resumesAfterDrop: ObligationStories = {
  slug: 'resumes-after-drop',
  holds: {
    'upstream resumes it': () => {
      const story = new Story({ contract: 'opaque', clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      const call = client.call();
      client.bytes(call.exchange, 'both', `id: a\ndata: ${JSON.stringify(call.progressMessage(1))}\n\n`);
      client.end(call.exchange, 'fin', 'upstream', 'both');
      story.after(1000);
      const leg = call.resume('a', { from: 'upstream' });
      client.bytes(leg.exchange, 'both', `id: b\ndata: ${JSON.stringify(call.answerMessage())}\n\n`);
      leg.complete();
      return story.exit();
    },
    'a client that does not resume rejects the call at the break': () => {
      const { story, client, call } = dropped();
      story.after(20);
      client.cancel(call, 'stream broke');
      client.call('echo').answer('1000001');
      return story.exit();
    },
    'the stand-alone stream without ids is opened again': () => {
      const story = new Story();
      const client = story.client().initialize();
      const listening = client.listen();
      listening.raw(': hi\n\n');
      listening.drop('reset');
      story.after(1000);
      client.listen();
      return story.exit();
    },
  },
  violates: {
    'the client never comes back and waits for its timeout': () => timesOut(dropped()),
    'the stand-alone stream is not opened again for a whole deadline, and the client works on': () => {
      const story = new Story({ deadlineMs: 3000 });
      const client = story.client().initialize();
      const listening = client.listen();
      listening.changed('1');
      const ended = listening.drop('complete');
      story.after(3000).deadline(ended).after(500);
      client.call('echo').answer('1000001');
      return story.exit();
    },
  },
  alone: {
    'a client that never opens the stand-alone stream': () => {
      const story = new Story();
      const client = story.client().initialize();
      client.call().progress('1').answer('2');
      client.delete();
      return story.exit();
    },
    'a client that reconnects without a cursor from the start': () => {
      const told = dropped();
      told.story.after(1000);
      told.client.refuse(told.client.get(), 409);
      told.story.after(2000);
      told.client.cancel(told.call);
      return told.story.exit(1);
    },
    'a client that ends its session right after the stand-alone stream broke': () => {
      const story = new Story({ deadlineMs: 3000 });
      const client = story.client().initialize();
      const listening = client.listen();
      listening.changed('1');
      const ended = listening.drop('complete');
      story.after(300);
      client.delete();
      story.after(2700).deadline(ended);
      return story.exit();
    },
    'a client that closed the stand-alone stream by itself': () => {
      const story = new Story({ deadlineMs: 3000 });
      const client = story.client().initialize();
      client.listen().abort();
      client.call('echo').answer('1000001');
      return story.exit();
    },
  },
};

/** Resumed with cursor 2, and the leg ends without an event. */
function emptyLeg(): Dropped {
  const told = dropped('flap-stream');
  told.story.after(1000);
  told.call.resume('2', { decision: told.decision, due }).drop('fin', told.decision);
  told.story.after(1000);
  return told;
}

export const keepsCursor: ObligationStories = {
  slug: 'keeps-cursor',
  holds: {
    'after an empty leg the same cursor is sent again': () => resumesAndIsAnswered(emptyLeg()),
  },
  violates: {
    'after an empty leg the cursor is forgotten': () => {
      const told = emptyLeg();
      told.client.refuse(told.client.get(), 409);
      return timesOut(told);
    },
    'an older id is sent': () => resumesAndIsAnswered(dropped(), '1'),
    'an id is sent that was never shown': () => {
      const told = dropped();
      told.story.after(1000);
      const exchange = told.client.get('0002');
      told.client.refuse(exchange, 400);
      return timesOut(told);
    },
    'an id that an empty one took away': () => {
      const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'empty-id', control: false }] });
      const client = story.client().initialize();
      const call = client.call();
      const decision = story.decide('empty-id', {}, call.exchange);
      call.progress('1');
      story.apply(decision, { exchange: call.exchange, stream: call.stream });
      call.raw(`id:\ndata: ${JSON.stringify(call.progressMessage(2))}\n\n`, decision);
      call.drop('fin', decision);
      story.after(1000);
      call.resume('1');
      return timesOut({ story, client, call, decision });
    },
  },
  alone: {
    'a reset right after an event, which may not have been read': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      const call = client.call();
      const decision = story.decide('drop-stream', { how: 'reset' }, call.exchange);
      call.progress('1', '2');
      story.apply(decision, { exchange: call.exchange, stream: call.stream });
      call.drop('reset', decision);
      call.missed(1, true);
      story.after(1000);
      return resumesAndIsAnswered({ story, client, call, decision }, '1');
    },
    'events without an id do not move it': () => {
      const told = dropped();
      return resumesAndIsAnswered(told);
    },
    'a client that closed the stream itself and comes back earlier in it': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      const call = client.call();
      call.progress('1', '2');
      call.abort();
      call.missed(1, true);
      return resumesAndIsAnswered({ story, client, call, decision: '' }, '1');
    },
  },
};

function cut(): Dropped {
  const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'cut-mid-event', control: true }] });
  const client = story.client().initialize();
  const call = client.call();
  const decision = story.decide('cut-mid-event', {}, call.exchange);
  call.progress('1');
  call.upstream(call.progressMessage(2));
  story.apply(decision, { exchange: call.exchange, stream: call.stream });
  call.raw('id: 2\ndata: {"jsonrpc"', decision);
  call.drop('fin', decision);
  story.after(1000);
  return { story, client, call, decision };
}

export const discardsUnfinishedEvent: ObligationStories = {
  slug: 'discards-unfinished-event',
  holds: {
    'it resumes after the last whole event': () => {
      const { story, client, call } = cut();
      const leg = call.resume('1', { due: { ids: ['2'], answers: false } });
      leg.show('2', call.progressMessage(2));
      call.upstream(call.answerMessage());
      leg.show('3', call.answerMessage());
      leg.complete();
      client.delete();
      return story.exit();
    },
  },
  violates: {
    'it resumes after the event that it has in part': () => {
      const told = cut();
      told.call.resume('2');
      return timesOut(told);
    },
  },
  alone: {
    'it does not resume at all': () => timesOut(cut()),
  },
};

function retrying(retryMs: number, waitedMs: number, revision = '2025-11-25'): Story {
  const story = new Story({ clientTimeoutMs: 30_000, rules: [{ fault: 'hint-retry', control: true }] });
  const client = story.client({ revision }).initialize();
  const call = client.call();
  const decision = story.decide('hint-retry', { retryMs }, call.exchange);
  call.progress('1', '2');
  story.apply(decision, { exchange: call.exchange, stream: call.stream });
  call.raw(`retry: ${retryMs}\n\n`, decision);
  call.drop('complete', decision);
  call.missed(1, true);
  story.after(waitedMs);
  return resumesAndIsAnswered({ story, client, call, decision });
}

export const respectsRetry: ObligationStories = {
  slug: 'respects-retry',
  holds: {
    'it waits as long as it was asked to': () => retrying(1500, 1501),
    'it waits longer': () => retrying(1500, 9000),
    'a timer that is a little early': () => retrying(1500, 1460),
  },
  violates: {
    'it comes back early': () => retrying(1500, 1000),
    'a value beyond its timer makes it come back at once': () => retrying(2 ** 31, 1),
    'before 2025-11-25 it is advice': () => retrying(1500, 100, '2025-06-18'),
  },
  alone: {
    'nobody asked for a pause': () => {
      const told = dropped();
      told.story.after(10);
      return resumesAndIsAnswered(told);
    },
  },
};

function flapping(count: number, gap: (n: number) => number): Story {
  const story = new Story({ clientTimeoutMs: 60_000, rules: [{ fault: 'flap-stream', control: false }] });
  const client = story.client().initialize();
  for (let n = 0; n < count; n += 1) {
    client.listen().drop('complete');
    story.after(gap(n));
  }
  client.listen();
  client.call('echo').answer('1000001');
  return story.exit();
}

export const reconnectsWithPause: ObligationStories = {
  slug: 'reconnects-with-pause',
  holds: {
    'its pauses grow while it is in vain': () => flapping(6, (n) => 1000 * 1.5 ** n),
  },
  violates: {
    'it reconnects without a pause': () => flapping(8, () => 5),
    'it keeps its pace for ever': () => flapping(7, () => 1000),
  },
  alone: {
    'it reconnects a few times at one pace': () => flapping(4, () => 1000),
    'a stream that brings something each time': () => {
      const story = new Story();
      const client = story.client().initialize();
      for (let n = 0; n < 10; n += 1) {
        client
          .listen()
          .changed(String(n + 1), n)
          .drop('complete');
        story.after(10);
      }
      client.listen();
      return story.exit();
    },
    'the server asked it to come back at once': () => {
      const story = new Story();
      const client = story.client().initialize();
      for (let n = 0; n < 8; n += 1) {
        const listening = client.listen();
        listening.raw('retry: 10\n\n');
        listening.drop('complete');
        story.after(12);
      }
      client.listen();
      return story.exit();
    },
  },
};
