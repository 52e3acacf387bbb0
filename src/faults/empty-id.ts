/** An event with an empty id, which takes the client's cursor away (WHATWG HTML 9.2.6), before the stream breaks. */
import * as z from 'zod';
import { withId } from '../sse/compose.ts';
import { endClient, send } from './effect.ts';
import { defineFault } from './fault.ts';
import { foreignEvent } from './incarnation.ts';
import { countIds, cuts, hasId } from './prelude.ts';

const params = z.strictObject({
  after: z
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .describe('Frames with an id that are shown before; the answer breaks the stream earlier.'),
  how: z.enum(cuts).default('fin').describe('How the connection ends.'),
});

export const emptyId = defineFault<z.infer<typeof params>>({
  name: 'empty-id',
  summary: 'Shows an event with an empty id, then drops the stream: there is no cursor left to resume from.',
  imitates: 'a server that writes `id:` for events it does not store',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'the stream ends without its answer after an empty id has reset the cursor',
  },
  provokes: ['keeps-cursor', 'settles-broken-call'],
  params,
  plan(subject, { after, how }) {
    if (subject.seam !== 'frame' || subject.attempt !== 0) return undefined;
    const { frame, earlier } = subject;
    const shown = countIds(earlier);
    if (shown === 0 || earlier.some((other) => other.answers)) return undefined;
    if (frame.answers) return [send(foreignEvent('', 1)), endClient(how)];
    return hasId(frame) && shown >= after
      ? [send(withId(frame.raw, '', { first: false })), endClient(how)]
      : undefined;
  },
});
