/** An answer that gets lost although its stream was never broken, or was resumed without it. */
import * as z from 'zod';
import { type Effect, endClient, send } from './effect.ts';
import { defineFault } from './fault.ts';

const params = z.strictObject({
  next: z
    .enum(['stall', 'complete', 'fin'])
    .default('stall')
    .describe('The stream stays open in silence, ends properly, or breaks.'),
});

export const swallowResponse = defineFault<z.infer<typeof params>>({
  name: 'swallow-response',
  summary: 'Withholds the answer for good; the stream stays open in silence or ends.',
  imitates: 'a server or gateway that loses a response after the work is done',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST'],
  control: false,
  detectability: ({ next }) =>
    next === 'stall'
      ? {
          level: 'inferable',
          why: 'an open stream without its answer looks like a slow server: only a deadline shows it',
        }
      : {
          level: 'inferable',
          why: 'the stream ends without its answer, and every resumption does too: only a bound shows that it never comes',
        },
  provokes: ['bounds-its-wait', 'settles-broken-call', 'executes-once'],
  params,
  plan(subject, { next }) {
    if (subject.seam === 'frame') return subject.frame.answers ? [endClient(next)] : undefined;
    if (subject.seam !== 'resume' || !subject.missed.some((frame) => frame.answers)) return undefined;
    const rest = subject.missed.filter((frame) => !frame.answers);
    return [...rest.map((frame): Effect => send(frame.raw)), endClient(next)];
  },
});
