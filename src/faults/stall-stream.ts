/** A stream that goes quiet while its connection stays open: a dead peer behind a proxy, a server that waits for ever. */
import * as z from 'zod';
import { endClient } from './effect.ts';
import { defineFault } from './fault.ts';
import { countIds, hasId } from './prelude.ts';

const params = z.strictObject({
  after: z
    .int()
    .min(0)
    .max(100_000)
    .default(2)
    .describe('Frames with an id that are shown before the silence; the answer is never shown.'),
});

export const stallStream = defineFault<z.infer<typeof params>>({
  name: 'stall-stream',
  summary: 'Leaves the connection open and writes nothing more; a resumption is coherent.',
  imitates: 'a half-open connection: the peer is gone and nobody says so',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: false,
  detectability: { level: 'inferable', why: 'only time shows it: a deadline, an idle limit or a ping' },
  provokes: ['bounds-its-wait', 'resumes-after-drop'],
  params,
  plan(subject, { after }) {
    if (subject.seam !== 'frame' || subject.attempt !== 0) return undefined;
    const { frame, earlier } = subject;
    if (after === 0 || frame.answers) return [endClient('stall')];
    return hasId(frame) && countIds(earlier) + 1 >= after ? [{ do: 'pass' }, endClient('stall')] : undefined;
  },
});
