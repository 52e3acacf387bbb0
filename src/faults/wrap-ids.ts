/** A counter that is too small: ids begin again from 0, and a cursor stands for every event that had that number. */
import * as z from 'zod';
import { type AlterId, afterOldestMatch, alteredStream, bufferOf, sendAltered } from './altered-ids.ts';
import { defineFault, type ResumeSubject, type StoredFrame } from './fault.ts';
import { numberOf, withNumber } from './incarnation.ts';
import { hasId, isOver, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  modulus: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .default(2)
    .describe('Ids are shown as their number modulo this.'),
  lookup: z
    .enum(['oldest', 'greater'])
    .default('oldest')
    .describe(
      'The server goes on after the oldest event with that number, or with the events whose number is greater.',
    ),
});

export const wrapIds = defineFault<z.infer<typeof params>>({
  name: 'wrap-ids',
  summary: 'Shows ids that wrap around, drops the stream, then resumes it from a wrong event of that number.',
  imitates: 'an event counter or a database column that overflows',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'ids fall or come again within the stream, though each must be unique in the session',
  },
  provokes: ['validates-resumed-cursor', 'executes-once', 'bounds-its-wait'],
  params,
  plan(subject, params) {
    const wrap: AlterId = (id) => wrapped(id, params.modulus);
    if (isOver(subject, params)) return undefined;
    if (subject.seam !== 'resume') return alteredStream(subject, params, wrap);
    const replay = params.lookup === 'oldest' ? afterOldestMatch(subject, wrap) : greater(subject, wrap);
    return [...(replay ?? subject.missed).map((frame) => sendAltered(frame, wrap)), { do: 'follow' }];
  },
});

/** The epoch tag of an id is kept; an id that does not end in a number is left alone. */
function wrapped(id: string, modulus: number): string {
  const number = numberOf(id);
  return number === undefined ? id : withNumber(id, number % BigInt(modulus));
}

/** Repeats old events with greater numbers, and loses new ones that wrapped, be it the answer. */
function greater(subject: ResumeSubject, wrap: AlterId): readonly StoredFrame[] {
  const cursor = numberOf(subject.cursor) ?? 0n;
  return bufferOf(subject).filter((frame) => hasId(frame) && (numberOf(wrap(frame.id!)) ?? 0n) > cursor);
}
