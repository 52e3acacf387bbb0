/** An answer that comes twice: at-least-once delivery between the server and the client. */
import * as z from 'zod';
import { type Effect, send } from './effect.ts';
import { defineFault } from './fault.ts';
import { series } from './incarnation.ts';

const params = z.strictObject({
  copies: z.int().min(1).max(100).default(1).describe('How many times the answer comes again.'),
});

export const duplicateResponse = defineFault<z.infer<typeof params>>({
  name: 'duplicate-response',
  summary: 'Sends the answering event again, id and all.',
  imitates: 'a broker or gateway that delivers at least once',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'a second response for a request that is settled, under an id that was seen',
  },
  provokes: ['matches-responses', 'executes-once'],
  params,
  plan(subject, { copies }) {
    if (subject.seam !== 'frame' || !subject.frame.answers) return undefined;
    const { raw } = subject.frame;
    return [{ do: 'pass' }, ...series(copies, (): Effect => send(raw))];
  },
});
