/**
 * The first seed's signature (a): 200, and ids that begin again below the cursor (8412, then 17). The
 * session was recreated under a recycled key, its counter restarted, and the call's continuation never comes.
 */
import * as z from 'zod';
import { alteredStream } from './altered-ids.ts';
import type { Effect } from './effect.ts';
import { defineFault, type FrameSubject, type ResumeSubject } from './fault.ts';
import {
  hasOwnCursor,
  idInNextEpoch,
  numberOf,
  sendForeignEvents,
  series,
  withNumber,
} from './incarnation.ts';
import { countIds, onResume, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  from: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe(
      'The last id before the drop; those before it count up to it. Left out: ids as they are. For one call at a time, since ids must be unique in a session.',
    ),
  to: z
    .int()
    .min(0)
    .max(1_000_000_000)
    .default(17)
    .describe('The first id after the resumption; 1 where the cursor is not above it.'),
  events: z.int().min(1).max(1000).default(3).describe('Events of the new incarnation; then silence.'),
});

type Params = z.infer<typeof params>;

const resumed = onResume<Params>((subject, { after, from, to, events }) => {
  if (!hasOwnCursor(subject) && !isBetween(numberOf(subject.cursor), (from ?? 0) - after, from)) return [];
  const first = firstBelow(to, subject);
  const { call, cursor } = subject;
  return sendForeignEvents(series(events, (index) => idInNextEpoch(call.contract, cursor, first + index)));
});

export const regressCursor = defineFault<Params>({
  name: 'regress-cursor',
  summary:
    'Drops the stream, then resumes it with lower ids of another incarnation; the call is never answered.',
  imitates: 'a session torn down on the server and recreated under the same id, its event counter restarted',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'the first id after the resumption is lower than the cursor, or of another epoch',
  },
  provokes: ['validates-resumed-cursor', 'bounds-its-wait'],
  params,
  plan(subject, params) {
    if (subject.seam === 'frame' && subject.attempt === 0 && params.from !== undefined) {
      return countingUp(subject, params, params.from);
    }
    return resumed(subject, params);
  },
});

/** The stream with ids that arrive at `last` where it breaks. */
function countingUp(subject: FrameSubject, params: Params, last: number): readonly Effect[] | undefined {
  const number = last - params.after + countIds(subject.earlier) + 1;
  return alteredStream(subject, params, (id) => withNumber(id, BigInt(Math.max(0, number))));
}

function isBetween(number: bigint | undefined, above: number, upTo: number | undefined): boolean {
  return number !== undefined && upTo !== undefined && number > BigInt(above) && number <= BigInt(upTo);
}

/** Another epoch is a regression at any number, and an opaque cursor has none to be below. */
function firstBelow(to: number, { call, cursor }: ResumeSubject): number {
  const at = call.contract.startsWith('monotonic') ? numberOf(cursor) : undefined;
  if (at === undefined || BigInt(to) < at) return to;
  return at > 1n ? 1 : 0;
}
