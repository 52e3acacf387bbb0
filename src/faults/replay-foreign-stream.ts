/** A replay of another stream's events, which the specification forbids and servers with one buffer a session do. */
import * as z from 'zod';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';
import { onResume, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  events: z
    .int()
    .min(1)
    .max(1000)
    .default(5)
    .describe("How many of the other streams' newest messages are sent."),
  next: z
    .enum(['silence', 'go-on'])
    .default('silence')
    .describe("Nothing more, or then the call's own events, coherently."),
});

export const replayForeignStream = defineFault<z.infer<typeof params>>({
  name: 'replay-foreign-stream',
  summary: "Drops the stream, then resumes it with events of the session's other streams.",
  imitates: 'an event store that keeps one buffer for all streams of a session',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'messages and ids belong to other streams (2025-11-25 basic/transports: MUST NOT replay them), none follows the cursor',
  },
  provokes: ['matches-responses', 'validates-resumed-cursor', 'resumes-after-drop', 'bounds-its-wait'],
  params,
  plan: onResume(({ foreign, missed }, { events, next }) => {
    const messages = foreign.filter(({ content }) => content !== 'priming' && content !== 'comment');
    if (messages.length === 0) return undefined;
    const shown = messages.slice(-events).map((frame) => send(frame.raw));
    if (next === 'silence') return shown;
    return [...shown, ...missed.map((frame) => send(frame.raw)), { do: 'follow' }];
  }),
});
