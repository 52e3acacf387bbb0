/** An event that arrives whole, with its blank line, and whose JSON is cut: the cursor moves past data that nobody has. */
import * as z from 'zod';
import { withData } from '../sse/compose.ts';
import { readFields } from '../sse/fields.ts';
import { send } from './effect.ts';
import { defineFault, type FrameSubject, type StoredFrame } from './fault.ts';

const params = z.strictObject({
  which: z
    .enum(['answer', 'notification'])
    .default('answer')
    .describe('The answer, or the first notification.'),
  keep: z.number().min(0).max(0.99).default(0.5).describe('Share of the JSON text that is left.'),
});

export const garbleData = defineFault<z.infer<typeof params>>({
  name: 'garble-data',
  summary: 'Cuts the JSON of one event; the event itself is complete and moves the cursor.',
  imitates: 'a buffer limit on the way, or a server that flushes half a message',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: false,
  detectability: { level: 'definite', why: 'the data of an event is not JSON' },
  provokes: ['settles-broken-call', 'bounds-its-wait'],
  params,
  plan(subject, { which, keep }) {
    if (subject.seam !== 'frame' || subject.attempt !== 0 || !isChosen(subject, which)) return undefined;
    const options = { first: subject.frame.index === 0 };
    const data = readFields(subject.frame.raw, options).data ?? '';
    return [send(withData(subject.frame.raw, data.slice(0, Math.floor(data.length * keep)), options))];
  },
});

function isChosen({ frame, earlier }: FrameSubject, which: 'answer' | 'notification'): boolean {
  if (which === 'answer') return frame.answers;
  return isNotification(frame) && !earlier.some(isNotification);
}

function isNotification(frame: StoredFrame): boolean {
  return frame.content === 'notification';
}
