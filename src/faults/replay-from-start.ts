/** The second seed's replay from zero: a server that ignores the cursor and sends its whole buffer again. */
import * as z from 'zod';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';
import { onResume, preludeParams } from './prelude.ts';

const params = z.strictObject(preludeParams);

export const replayFromStart = defineFault<z.infer<typeof params>>({
  name: 'replay-from-start',
  summary: 'Drops the stream, then sends all of it again from its first event before it goes on.',
  imitates: 'a server that does not read Last-Event-ID but has a buffer',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'ids at and below the cursor come again; a server may replay only what came after it',
  },
  provokes: ['validates-resumed-cursor', 'executes-once', 'matches-responses'],
  params,
  plan: onResume(({ delivered, missed }) => {
    if (delivered.length === 0) return undefined;
    return [...[...delivered, ...missed].map((frame) => send(frame.raw)), { do: 'follow' }];
  }),
});
