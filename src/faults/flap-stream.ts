/** A stream that opens and closes, again and again, with nothing in between. */
import * as z from 'zod';
import { endClient } from './effect.ts';
import { defineFault } from './fault.ts';
import { dropAtBreak, dropParams } from './prelude.ts';

/** Two empty rounds are an ordinary deploy; a client that gives up after more is within its rights. */
const harmless = 2;

const params = z.strictObject({
  ...dropParams,
  times: z
    .int()
    .min(1)
    .max(100_000)
    .default(2)
    .describe('Resumptions that are opened and closed at once; the next one is coherent.'),
});

export const flapStream = defineFault<z.infer<typeof params>>({
  name: 'flap-stream',
  summary: 'Drops the stream, then answers its resumptions with an empty stream that ends at once.',
  imitates: 'a proxy whose upstream is not back yet, or a deploy that takes several rounds',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: ({ times }) => times <= harmless,
  detectability: {
    level: 'definite',
    why: 'each stream ends without an event; the cursor has not moved and has to be sent again',
  },
  provokes: ['keeps-cursor', 'reconnects-with-pause', 'resumes-after-drop', 'bounds-its-wait'],
  params,
  plan(subject, params) {
    if (subject.seam !== 'resume') return dropAtBreak(subject, params);
    return subject.attempt <= params.times ? [endClient(params.how)] : undefined;
  },
});
