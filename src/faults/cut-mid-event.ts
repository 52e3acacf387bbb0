/** A connection that dies inside an event: the id line may have come, the blank line that makes it count has not. */
import * as z from 'zod';
import { endClient, send } from './effect.ts';
import { defineFault, type StoredFrame } from './fault.ts';
import { countIds } from './prelude.ts';

const params = z.strictObject({
  after: z
    .int()
    .min(0)
    .max(100_000)
    .default(1)
    .describe('Frames with an id that are shown whole before; the answer is cut earlier.'),
  keep: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('Share of the event that is sent; 1 leaves out only its last line end and the blank line.'),
  how: z.enum(['fin', 'reset']).default('reset').describe('How the connection ends.'),
});

export const cutMidEvent = defineFault<z.infer<typeof params>>({
  name: 'cut-mid-event',
  summary: 'Sends the beginning of an event, then ends the connection; a resumption is coherent.',
  imitates: 'a load balancer or a server that dies while it writes',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: ({ after }) => after > 0,
  detectability: {
    level: 'definite',
    why: 'the connection ends inside an event, which has to be discarded together with its id (WHATWG HTML 9.2.6)',
  },
  provokes: ['discards-unfinished-event', 'keeps-cursor', 'resumes-after-drop', 'settles-broken-call'],
  params,
  plan(subject, { after, keep, how }) {
    if (subject.seam !== 'frame' || subject.attempt !== 0) return undefined;
    const { frame, earlier } = subject;
    if (frame.content === 'comment' || earlier.some((other) => other.answers)) return undefined;
    const shown = countIds(earlier);
    // Without an id before it the call could not be resumed; only `after: 0` asks for that.
    if (frame.answers ? shown === 0 && after > 0 : shown < after) return undefined;
    return [send(beginning(frame, keep)), endClient(how)];
  },
});

/** Ends before the event's last line end: of CRLF CRLF even the first CR LF CR would be a blank line. */
function beginning({ raw }: StoredFrame, keep: number): Uint8Array {
  let end = raw.byteLength;
  while (end > 1 && (raw[end - 1] === 10 || raw[end - 1] === 13)) end -= 1;
  return raw.slice(0, Math.max(1, Math.round(end * keep)));
}
