import { type Call, type Client, Story } from '../story.ts';
import type { ObligationStories } from './obligation-stories.ts';

interface Lost {
  readonly story: Story;
  readonly client: Client;
  readonly call: Call;
}

/** 404 to a call. */
function lostAtRequest(): Lost {
  const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'expire-session', control: false }] });
  const client = story.client().initialize();
  const call = client.call('count', { to: 1 }, { respond: false });
  const decision = story.decide('expire-session', { at: 'request' }, call.exchange);
  story.apply(decision, { exchange: call.exchange, seam: 'request' });
  client.refuse(call.exchange, 404, decision);
  return { story, client, call };
}

/** 404 to the resumption of a call. */
function lostAtResume(): Lost {
  const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'expire-session', control: false }] });
  const client = story.client().initialize();
  const call = client.call();
  const decision = call.preludeTo('expire-session', { at: 'resume' }, ['1', '2']);
  story.after(1000);
  const exchange = client.get('2');
  story.apply(decision, { exchange, stream: call.stream, seam: 'resume' });
  client.refuse(exchange, 404, decision);
  return { story, client, call };
}

export const reinitialisesAfter404: ObligationStories = {
  slug: 'reinitialises-after-404',
  holds: {
    'a new session at once, and the call again': () => {
      const { story, client } = lostAtRequest();
      story.after(3);
      client.initialize();
      client.call('count', { to: 1 }).answer('1');
      return story.exit();
    },
    'the same by a client object that numbers anew': () => {
      const { story, client } = lostAtRequest();
      story.after(3);
      client.renumber().initialize();
      client.call('count', { to: 1 }).answer('1');
      return story.exit();
    },
    'a new session after a refused resumption': () => {
      const { story, client } = lostAtResume();
      story.after(2);
      client.initialize();
      return story.exit();
    },
  },
  violates: {
    'it waits for its timeout after a refused resumption': () => {
      const { story, client, call } = lostAtResume();
      story.after(2000);
      const cancel = client.post({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: call.id },
      });
      client.refuse(cancel, 404);
      return story.exit(1);
    },
    'it goes on under the dead id': () => {
      const { story, client } = lostAtRequest();
      story.after(1000);
      const next = client.call('count', { to: 2 }, { respond: false });
      client.refuse(next.exchange, 404);
      return story.exit(1);
    },
    'it goes on at once, and has never had two calls open': () => {
      const { story, client } = lostAtResume();
      story.after(2);
      const next = client.call('count', { to: 2 }, { respond: false });
      client.refuse(next.exchange, 404);
      return story.exit(1);
    },
  },
  alone: {
    'a request that crossed the 404 on the wire': () => {
      const { story, client } = lostAtRequest();
      story.after(2);
      const crossed = client.call('count', { to: 2 }, { respond: false });
      client.refuse(crossed.exchange, 404);
      story.after(3);
      client.initialize();
      return story.exit();
    },
    'a session that was not over after all': () => {
      const story = new Story({ clientTimeoutMs: 3000 });
      const client = story.client().initialize();
      const lost = client.call('count', { to: 1 }, { respond: false });
      client.refuse(lost.exchange, 404);
      story.after(1000);
      client.call('count', { to: 2 }).answer('1000001');
      return story.exit();
    },
    'a run that ends right then': () => lostAtRequest().story.after(5).exit(1),
    'a stand-alone stream that the server does not offer': () => {
      const story = new Story();
      const client = story.client().initialize();
      client.refuse(client.get(), 405);
      client.call().answer('1');
      client.delete();
      return story.exit();
    },
  },
};

function changed(next: (client: Client, story: Story) => void): Story {
  const story = new Story({ rules: [{ fault: 'change-session-id', control: false }] });
  const client = story.client().initialize();
  const call = client.call('count', { to: 1 }, { respond: false });
  const decision = story.decide('change-session-id', {}, call.exchange);
  story.apply(decision, { exchange: call.exchange, seam: 'head' });
  client.head(call.exchange, 200, 'application/json', { session: 'session-other', decision });
  client.bytes(call.exchange, 'both', JSON.stringify(call.answerMessage()));
  client.end(call.exchange, 'complete', 'upstream', 'both');
  story.after(5);
  next(client, story);
  return story.exit();
}

export const keepsSessionId: ObligationStories = {
  slug: 'keeps-session-id',
  holds: {
    'it keeps the id it was given': () =>
      changed((client) => void client.call('count', { to: 2 }).answer('1000001')),
    'it begins a new session': () => changed((client) => void client.initialize()),
  },
  violates: {
    'it takes the other id over': () =>
      changed((client, story) => {
        client.session = 'session-other';
        client.call('count', { to: 2 }).answer('1000001');
        story.after(1);
      }),
  },
  alone: {
    'nothing follows': () => changed(() => {}),
    'responses that bear the same id': () => {
      const story = new Story();
      const client = story.client().initialize();
      client.call('count', { to: 1 }).answer('1');
      client.call('count', { to: 2 }).answer('1000001');
      return story.exit();
    },
  },
};
