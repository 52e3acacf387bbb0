/** A replay in the wrong order: stores that sort ids as text, or events of one millisecond by chance. */
import * as z from 'zod';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';
import { hasId, onResume, preludeParams } from './prelude.ts';

const params = z.strictObject(preludeParams);

export const reorderReplay = defineFault<z.infer<typeof params>>({
  name: 'reorder-replay',
  summary: 'Drops the stream, then replays what was missed backwards: the answer before its progress.',
  imitates: 'an event store that sorts ids as text',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: { level: 'definite', why: 'the ids jump over the missing ones and then fall' },
  provokes: ['validates-resumed-cursor', 'matches-responses', 'executes-once'],
  params,
  plan: onResume(({ missed }) => {
    if (missed.filter(hasId).length < 2) return undefined;
    return [...missed.toReversed().map((frame) => send(frame.raw)), { do: 'follow' }];
  }),
});
