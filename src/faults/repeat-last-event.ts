/** An off-by-one in the replay: everything from the cursor on, the event at the cursor included. */
import * as z from 'zod';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';
import { hasId, onResume, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  count: z.int().min(1).max(1000).default(1).describe('How many of the last events come again.'),
});

export const repeatLastEvent = defineFault<z.infer<typeof params>>({
  name: 'repeat-last-event',
  summary: 'Drops the stream, then sends the last delivered event again before it goes on coherently.',
  imitates: 'a replay that begins at the cursor instead of after it',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'the first id is the cursor itself; the same content under it says that nothing was lost',
  },
  provokes: ['checks-replayed-digest', 'validates-resumed-cursor', 'executes-once'],
  params,
  plan: onResume(({ delivered, missed }, { count }) => {
    const again = delivered.filter(hasId).slice(-count);
    if (again.length === 0) return undefined;
    return [...[...again, ...missed].map((frame) => send(frame.raw)), { do: 'follow' }];
  }),
});
