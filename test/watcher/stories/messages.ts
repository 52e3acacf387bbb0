import { type Call, type Client, Story, type StoryOptions } from '../story.ts';
import type { ObligationStories } from './obligation-stories.ts';

interface Told {
  readonly story: Story;
  readonly client: Client;
  readonly call: Call;
  readonly decision: string;
}

function begun(fault: string, options: StoryOptions = {}): Told {
  const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault, control: false }], ...options });
  const client = story.client().initialize();
  // A session whose calls are all different, so that one that comes again is a second attempt.
  client.call('echo', { text: 'first' }).answer('1000001');
  const call = client.call();
  return { story, client, call, decision: story.decide(fault, {}, call.exchange) };
}

function timesOut({ story, client, call }: Told, ms = 3000): Story {
  story.after(ms);
  client.cancel(call);
  return story.exit(1);
}

function stalled(options: StoryOptions = {}): Told & { readonly since: number } {
  const told = begun('swallow-response', options);
  const { story, call, decision } = told;
  call.progress('1');
  call.upstream(call.answerMessage());
  story.apply(decision, { exchange: call.exchange, stream: call.stream });
  return { ...told, since: call.drop('stall', decision) };
}

export const boundsItsWait: ObligationStories = {
  slug: 'bounds-its-wait',
  holds: {
    'a withheld answer, and the call times out': () => timesOut(stalled()),
    'every resumption ends without the answer, and the call times out': () => {
      const told = begun('swallow-response');
      const { story, call, decision } = told;
      call.progress('1');
      call.upstream(call.answerMessage());
      story.apply(decision, { exchange: call.exchange, stream: call.stream });
      call.drop('complete', decision);
      for (let n = 0; n < 2; n += 1) {
        story.after(1000);
        call.resume('1', { decision, due: { ids: ['2'], answers: true } }).drop('complete', decision);
      }
      return timesOut(told, 1000);
    },
  },
  violates: {
    'a withheld answer, and it waits for ever': () => {
      const { story, call, since } = stalled({ clientTimeoutMs: 120_000 });
      story.after(10_000).deadline(since).after(100);
      call.abort();
      return story.exit(1);
    },
  },
  alone: {
    'upstream is slow, and the client times out': () => timesOut(begun('calm')),
    'the run ends first': () => {
      const { story, call } = stalled();
      story.after(100);
      call.abort();
      return story.exit(1);
    },
  },
};

function unresumable(how: 'fin' | 'reset' = 'fin'): Told {
  const told = begun('drop-stream');
  told.story.apply(told.decision, { exchange: told.call.exchange, stream: told.call.stream, seam: 'head' });
  told.call.drop(how, told.decision);
  told.call.missed(1, true);
  return told;
}

export const settlesBrokenCall: ObligationStories = {
  slug: 'settles-broken-call',
  holds: {
    'a stream that broke before any id, and the call is rejected at once': () => {
      const { story, client, call } = unresumable();
      story.after(5);
      client.cancel(call, 'broken');
      client.call('echo', { text: 'next' }).answer('3000001');
      return story.exit();
    },
    'the next call begins at once in a client that has one at a time': () => {
      const { story, client } = unresumable();
      story.after(5);
      client.call('echo', { text: 'next' }).answer('3000001');
      return story.exit();
    },
    'a refused resumption, and the call is rejected at once': () => {
      const { story, client, call, decision } = begun('refuse-resume');
      call.progress('1');
      call.drop('fin', decision);
      story.after(1000);
      call.resume('1', { status: 400, decision });
      story.after(5);
      client.cancel(call, 'cannot resume');
      client.call('echo', { text: 'next' }).answer('3000001');
      return story.exit();
    },
    '503, and the call is sent again and answered': () => {
      const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'busy', control: false }] });
      const client = story.client().initialize();
      const call = client.call('count', { to: 1 }, { respond: false });
      const decision = story.decide('busy', {}, call.exchange);
      story.apply(decision, { exchange: call.exchange, seam: 'request' });
      client.head(call.exchange, 503, 'text/plain', { decision });
      client.end(call.exchange, 'complete', 'proxy', 'client', decision);
      story.after(1000);
      client.call('count', { to: 1 }, { id: call.id }).answer('1');
      return story.exit();
    },
  },
  violates: {
    'a stream that broke before any id, and the client waits for its timeout': () => timesOut(unresumable()),
    'a refused resumption, and the client waits for its timeout': () => {
      const told = begun('refuse-resume');
      told.call.progress('1');
      told.call.drop('fin', told.decision);
      told.story.after(1000);
      told.call.resume('1', { status: 400, decision: told.decision });
      return timesOut(told, 2000);
    },
    '202 to the call, and the client waits for its timeout': () => {
      const story = new Story({
        clientTimeoutMs: 3000,
        rules: [{ fault: 'accept-request', control: false }],
      });
      const client = story.client().initialize();
      const call = client.call('count', { to: 1 }, { respond: false });
      const decision = story.decide('accept-request', {}, call.exchange);
      story.apply(decision, { exchange: call.exchange, seam: 'request' });
      client.head(call.exchange, 202, undefined, { decision });
      client.end(call.exchange, 'complete', 'proxy', 'client', decision);
      return timesOut({ story, client, call, decision });
    },
    'an answer whose JSON was cut, and the client waits for its timeout': () => {
      const told = begun('garble-data');
      told.call.progress('1');
      told.call.upstream(told.call.answerMessage());
      told.story.apply(told.decision, { exchange: told.call.exchange, stream: told.call.stream });
      told.call.raw('id: 2\ndata: {"jsonrpc":"2.0","id"\n\n', told.decision);
      told.client.end(told.call.exchange, 'complete', 'upstream');
      return timesOut(told);
    },
  },
  alone: {
    'the next call begins much later': () => {
      const { story, client } = unresumable();
      story.after(2000);
      client.call('echo', { text: 'next' }).answer('3000001');
      return story.exit();
    },
    'a call that the client had cancelled before the break': () => {
      const { story, client, call, decision } = begun('drop-stream');
      client.cancel(call, 'changed its mind');
      call.drop('fin', decision);
      return story.exit();
    },
  },
};

export const matchesResponses: ObligationStories = {
  slug: 'matches-responses',
  holds: {
    'an answer that comes twice, and the client goes on': () => {
      const { story, client, call, decision } = begun('duplicate-response');
      call.both('1', call.answerMessage());
      story.apply(decision, { exchange: call.exchange, stream: call.stream });
      call.show('1', call.answerMessage(), decision);
      client.end(call.exchange, 'complete', 'upstream');
      client.call('echo', { text: 'next' }).answer('3000001');
      return story.exit();
    },
  },
  violates: {
    'it comes back for an answer that it has': () => {
      const { story, client, call } = begun('drop-stream');
      call.progress('1').answer('2');
      story.after(1000);
      client.get('2');
      return story.exit();
    },
    'an answer under an id that is no request, and the client waits for its timeout': () => {
      const told = begun('misroute-response');
      told.call.upstream(told.call.answerMessage());
      told.story.apply(told.decision, { exchange: told.call.exchange, stream: told.call.stream });
      told.call.show('1', { jsonrpc: '2.0', id: 'unknown', result: {} }, told.decision);
      told.client.end(told.call.exchange, 'complete', 'upstream');
      return timesOut(told);
    },
  },
  alone: {
    'an answer that may have been lost in a reset': () => {
      const { story, client, call, decision } = begun('drop-stream');
      call.progress('1');
      call.both('2', call.answerMessage());
      story.apply(decision, { exchange: call.exchange, stream: call.stream });
      call.drop('reset', decision);
      story.after(1000);
      const leg = call.resume('1', { due: { ids: ['2'], answers: true } });
      leg.show('2', call.answerMessage());
      leg.complete();
      client.delete();
      return story.exit();
    },
  },
};

export const executesOnce: ObligationStories = {
  slug: 'executes-once',
  holds: {
    'a call again that upstream never saw': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      client.call('echo').answer('1');
      const call = client.call('count', { to: 1 }, { respond: false });
      client.head(call.exchange, 503, 'text/plain', { decision: story.decide('busy', {}, call.exchange) });
      client.end(call.exchange, 'complete');
      story.after(1000);
      client.call('count', { to: 1 }).answer('1000001');
      return story.exit();
    },
  },
  violates: {
    'the same work again in the same session after its answer was lost': () => {
      const { story, client } = unresumable();
      story.after(30);
      client.call().progress('3000001').answer('3000002');
      return story.exit();
    },
    'a stream that could be resumed, and the client runs the call again': () => {
      const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'drop-stream', control: true }] });
      const client = story.client().initialize();
      client.call('echo', { text: 'first' }).answer('1000001');
      const call = client.call();
      call.droppedBy('drop-stream', {}, ['1', '2']);
      story.after(10);
      client.call().answer('3000001');
      return story.exit();
    },
    "the server's request is answered twice": () => {
      const story = new Story();
      const client = story.client().initialize();
      for (let n = 0; n < 2; n += 1) {
        const reply = client.post({ jsonrpc: '2.0', id: 7, result: { action: 'accept' } });
        client.head(reply, 202);
        client.end(reply, 'complete', 'upstream', 'both');
      }
      return story.exit();
    },
  },
  alone: {
    'a suite that asks for the same thing all the time': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      for (let n = 0; n < 3; n += 1) client.call().answer(String(n * 1_000_000 + 1));
      const call = client.call();
      const decision = story.decide('drop-stream', {}, call.exchange);
      story.apply(decision, { exchange: call.exchange, stream: call.stream, seam: 'head' });
      call.drop('fin', decision);
      call.missed(1, true);
      story.after(10);
      client.call().answer('9000001');
      return story.exit();
    },
    'the same work again in a new session': () => {
      const { story, client } = unresumable();
      story.after(5);
      client.initialize();
      client.call().answer('1');
      return story.exit();
    },
  },
};
