/**
 * An id that stands for another event already. Each id must be globally unique in its session (2025-03-26 to
 * 2025-11-25, basic/transports, Resumability and Redelivery), and what a client does about one that is not, no
 * text says. Whoever drops events by their ids alone loses this one.
 */
import * as z from 'zod';
import { withId } from '../sse/compose.ts';
import { send } from './effect.ts';
import { defineFault, type FrameSubject } from './fault.ts';
import { countIds, hasId } from './prelude.ts';

const params = z.strictObject({
  of: z
    .enum(['own', 'other'])
    .default('own')
    .describe(
      'Whose id comes again: the last one of the same stream, or the last one of the session’s other streams.',
    ),
  after: z
    .int()
    .min(1)
    .max(100_000)
    .default(2)
    .describe('Frames with an id that are shown before; the answer is hit earlier.'),
});

export const collideIds = defineFault<z.infer<typeof params>>({
  name: 'collide-ids',
  summary: 'Shows one event under an id that stands for another event of the session; the stream goes on.',
  imitates: 'ids made of a clock, or of a counter that each stream or each worker has for itself',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'two events bear one id, which must be unique in the session; no text says what a client then does',
  },
  provokes: ['checks-replayed-digest'],
  params,
  plan(subject, { of, after }) {
    if (subject.seam !== 'frame' || subject.attempt !== 0 || !isHit(subject, after)) return undefined;
    const known = (of === 'own' ? subject.earlier : subject.foreign).findLast(hasId);
    if (known === undefined) return undefined;
    return [send(withId(subject.frame.raw, known.id!, { first: subject.frame.index === 0 }))];
  },
});

/** The first event with an id after so many, or the answer. */
function isHit({ frame, earlier }: FrameSubject, after: number): boolean {
  if (!hasId(frame)) return false;
  const before = countIds(earlier);
  return frame.answers ? before <= after : before === after;
}
