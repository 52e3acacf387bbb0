/** Events that lose their id on the way, so that the cursor stays where the last id left it, or never exists. */
import * as z from 'zod';
import { withId } from '../sse/compose.ts';
import { endClient, send } from './effect.ts';
import { defineFault } from './fault.ts';
import { countIds, cuts, hasId } from './prelude.ts';

const params = z.strictObject({
  after: z.int().min(0).max(100_000).default(0).describe('Frames that keep their id first.'),
  count: z
    .int()
    .min(1)
    .max(100_000)
    .default(2)
    .describe('Frames that are shown without an id before the stream breaks; the answer breaks it earlier.'),
  how: z.enum(cuts).default('fin').describe('How the connection ends.'),
});

export const stripIds = defineFault<z.infer<typeof params>>({
  name: 'strip-ids',
  summary: 'Takes the ids off a stream and drops it; a resumption from an earlier id is coherent.',
  imitates: 'a gateway that rewrites events and forgets their ids',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  // The last id stays valid (WHATWG HTML 9.2.6), so what came without one is merely sent again.
  control: ({ after }) => after > 0,
  detectability: ({ after }) =>
    after > 0
      ? { level: 'definite', why: 'the stream ends without its answer, and the last id says where to go on' }
      : { level: 'definite', why: 'the stream ends without its answer and without any id to resume from' },
  provokes: ['keeps-cursor', 'settles-broken-call', 'resumes-after-drop'],
  params,
  plan(subject, { after, count, how }) {
    if (subject.seam !== 'frame' || subject.attempt !== 0) return undefined;
    const { frame, earlier } = subject;
    const before = countIds(earlier);
    if (earlier.some((other) => other.answers)) return undefined;
    if (frame.answers) return after > 0 && before === 0 ? undefined : [endClient(how)];
    if (!hasId(frame) || before < after) return undefined;
    const stripped = send(withId(frame.raw, null, { first: frame.index === 0 }));
    return before + 1 < after + count ? [stripped] : [stripped, endClient(how)];
  },
});
