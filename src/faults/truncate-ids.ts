/** Ids that are cut to a fixed width on their way: many events, one cursor. */
import * as z from 'zod';
import { type AlterId, afterOldestMatch, alteredStream, sendAltered } from './altered-ids.ts';
import { defineFault } from './fault.ts';
import { isOver, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  keep: z.int().min(1).max(1000).default(1).describe('Characters that are kept of each id.'),
  end: z
    .enum(['first', 'last'])
    .default('first')
    .describe('Which characters: the first ones or the last ones.'),
  lookup: z
    .enum(['oldest', 'unknown'])
    .default('oldest')
    .describe(
      'The server goes on after the oldest event that fits, or does not know the cursor and replays nothing.',
    ),
});

export const truncateIds = defineFault<z.infer<typeof params>>({
  name: 'truncate-ids',
  summary:
    'Shows ids cut to a few characters, drops the stream, then resumes it from a wrong event or from none.',
  imitates: 'a column or a header of fixed width between the client and the event store',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'several events of one stream bear the same id, though each must be unique in the session',
  },
  provokes: ['validates-resumed-cursor', 'notices-missing-replay', 'executes-once', 'bounds-its-wait'],
  params,
  plan(subject, params) {
    const { keep, end, lookup } = params;
    const truncate: AlterId = (id) => (end === 'first' ? id.slice(0, keep) : id.slice(-keep));
    if (isOver(subject, params)) return undefined;
    if (subject.seam !== 'resume') return alteredStream(subject, params, truncate);
    if (lookup === 'unknown') return [];
    const replay = afterOldestMatch(subject, truncate) ?? subject.missed;
    return [...replay.map((frame) => sendAltered(frame, truncate)), { do: 'follow' }];
  },
});
