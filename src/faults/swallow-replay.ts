/**
 * The first seed's signature (c): 200 and no replay. The server has discarded the buffer and opened a new
 * epoch under the same session; it is silent, or goes on with fresh ids.
 */
import * as z from 'zod';
import { type Detection, defineFault } from './fault.ts';
import { hasOwnCursor, idAfter, idInNextEpoch, sendForeignEvents, series } from './incarnation.ts';
import { onResume, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  next: z
    .enum(['silence', 'fresh-ids', 'fresh-seamless'])
    .default('silence')
    .describe(
      'Nothing; events with ids from elsewhere; or events whose ids follow the cursor as if none were missing.',
    ),
  jump: z
    .int()
    .min(2)
    .max(1_000_000_000)
    .default(1000)
    .describe('For `fresh-ids`: how far from the cursor they begin.'),
  events: z.int().min(1).max(1000).default(3).describe('For fresh ids: how many events; then silence.'),
});

type Params = z.infer<typeof params>;

export const swallowReplay = defineFault<Params>({
  name: 'swallow-replay',
  summary:
    'Drops the stream, then resumes it with 200 and without what was missed; the call is never answered.',
  imitates: 'a server without its replay buffer that opens a new stream where an old one was asked for',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: detect,
  provokes: ['notices-missing-replay', 'validates-resumed-cursor', 'bounds-its-wait'],
  params,
  plan: onResume((subject, { next, jump, events }) => {
    const { call, cursor } = subject;
    if (next === 'silence' || !hasOwnCursor(subject)) return [];
    const first = next === 'fresh-ids' ? jump : 1;
    const freshEpoch = next === 'fresh-ids' && call.contract === 'epoch';
    return sendForeignEvents(
      series(events, (index) =>
        freshEpoch ? idInNextEpoch(call.contract, cursor, 1 + index) : idAfter(cursor, first + index),
      ),
    );
  }),
});

function detect({ next }: Params): Detection {
  switch (next) {
    case 'silence':
      return {
        level: 'inferable',
        why: 'a resumed stream that stays silent looks like a slow server: a deadline or a ping shows it',
      };
    case 'fresh-ids':
      return {
        level: 'definite',
        why: 'the first id is not the successor of the cursor, and nothing was replayed',
      };
    case 'fresh-seamless':
      return {
        level: 'none',
        why: "ids go on as they should and the stream is alive; only the content is not the call's",
      };
  }
}
