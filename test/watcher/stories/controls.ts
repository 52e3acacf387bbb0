import { Story } from '../story.ts';
import type { ObligationStories } from './obligation-stories.ts';

function altered(
  fault: string,
  next: (told: {
    story: Story;
    client: ReturnType<Story['client']>;
    call: ReturnType<ReturnType<Story['client']>['call']>;
  }) => void,
): Story {
  const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault, control: true }] });
  const client = story.client().initialize();
  const call = client.call();
  const decision = story.decide(fault, {}, call.exchange);
  call.upstream(call.answerMessage());
  story.apply(decision, { exchange: call.exchange, stream: call.stream });
  call.raw(`id: 1\r\ndata: ${JSON.stringify(call.answerMessage())}\r\n\r\n`, decision);
  client.end(call.exchange, 'complete', 'upstream');
  next({ story, client, call });
  return story.exit();
}

export const survivesControls: ObligationStories = {
  slug: 'survives-controls',
  holds: {
    'other line ends, and the client goes on': () =>
      altered('crlf-lines', ({ client }) => void client.call('echo').answer('1000001')),
    'other line ends, and the client leaves in its own time': () =>
      altered('crlf-lines', ({ client }) => void client.delete()),
  },
  violates: {
    'other line ends, and the client never takes the answer that it was shown': () =>
      altered('crlf-lines', ({ story, client, call }) => {
        story.after(1000);
        client.get('1');
        story.after(2000);
        client.cancel(call);
      }),
    'a stream that could be resumed, and the client begins a new session': () => {
      const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'drop-stream', control: true }] });
      const client = story.client().initialize();
      const call = client.call();
      call.droppedBy('drop-stream', {}, ['1', '2']);
      story.after(10);
      client.initialize();
      client.call().answer('1');
      return story.exit();
    },
  },
  alone: {
    'a stand-alone stream broke as a test ended, and the next test has its own client': () => {
      const story = new Story({ rules: [{ fault: 'drop-stream', control: true }] });
      const client = story.client().initialize();
      const listening = client.listen();
      const decision = story.decide('drop-stream', {}, listening.exchange);
      listening.changed('1');
      story.apply(decision, { exchange: listening.exchange, stream: listening.stream });
      listening.drop('fin', decision);
      story.after(50);
      client.delete();
      story.after(20);
      story.client().initialize().call().answer('1');
      return story.exit();
    },
    'a torn-down client': () => {
      const story = new Story({ clientTimeoutMs: 30_000, rules: [{ fault: 'drop-stream', control: true }] });
      const client = story.client().initialize();
      const call = client.call();
      call.droppedBy('drop-stream', {}, ['1', '2']);
      story.after(900);
      client.delete();
      story.after(5);
      story.client().initialize().call().answer('1');
      return story.exit(1);
    },
  },
};
