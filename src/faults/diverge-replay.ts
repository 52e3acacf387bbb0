/**
 * The second seed's case: 1041, then 1042 from a fresh process. The ids go on seamlessly and the content
 * is another incarnation's, so no comparison of ids can tell.
 */
import * as z from 'zod';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';
import { foreignEvent, hasOwnCursor, idAfter, sendForeignEvents, series } from './incarnation.ts';
import { onResume, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  repeatLast: z
    .boolean()
    .default(false)
    .describe('Send the event at the cursor again with other content, which a digest of it shows.'),
  events: z.int().min(1).max(1000).default(3).describe('Events of the new incarnation; then silence.'),
});

export const divergeReplay = defineFault<z.infer<typeof params>>({
  name: 'diverge-replay',
  summary: "Drops the stream, then goes on with the next ids and another incarnation's content.",
  imitates: 'a rolling restart whose new process counts on from the cursor it was sent',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: ({ repeatLast }) =>
    repeatLast
      ? {
          level: 'inferable',
          why: 'the last event comes again under its id with other content: a digest kept of it differs',
        }
      : {
          level: 'none',
          why: 'ids go on as they should and nothing is repeated that a digest could compare',
        },
  provokes: ['checks-replayed-digest', 'bounds-its-wait'],
  params,
  plan: onResume((subject, { repeatLast, events }) => {
    if (!hasOwnCursor(subject)) return [];
    const { cursor } = subject;
    const next = sendForeignEvents(series(events, (index) => idAfter(cursor, 1 + index)));
    return repeatLast ? [send(foreignEvent(cursor, events + 1)), ...next] : next;
  }),
});
