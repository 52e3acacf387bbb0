/** The first seed's signature (b): the resumption jumps over events that were lost between two epochs. */
import * as z from 'zod';
import { type Effect, endClient, send } from './effect.ts';
import { defineFault, type FrameSubject, type ResumeSubject, type StoredFrame } from './fault.ts';
import { foreignEvent, hasOwnCursor, idAfter } from './incarnation.ts';
import { dropAtBreak, hasId, isOver, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  over: z
    .enum(['events', 'answer'])
    .default('events')
    .describe('Lose some events, or everything up to and including the answer.'),
  count: z
    .int()
    .min(1)
    .max(100_000)
    .default(1)
    .describe('For `events`: how many are lost, the answer never.'),
});

export const skipEvents = defineFault<z.infer<typeof params>>({
  name: 'skip-events',
  summary: 'Drops the stream, then resumes it behind a gap in the ids; the gap may hold the answer.',
  imitates: 'a replay buffer that was truncated while the client was away',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'the first id after the gap is more than one above the last one seen',
  },
  provokes: ['validates-resumed-cursor', 'bounds-its-wait'],
  params,
  plan(subject, params) {
    if (subject.attempt === 0) return dropAtBreak(subject, params);
    if (isOver(subject, params)) return undefined;
    // The stand-alone stream has no answer to lose.
    const overAnswer = params.over === 'answer' && subject.call.channel === 'POST';
    if (subject.seam === 'resume')
      return overAnswer ? withoutAnswer(subject) : withoutEvents(subject, params.count);
    return overAnswer && subject.seam === 'frame' ? untilAnswer(subject) : undefined;
  },
});

function withoutEvents({ missed }: ResumeSubject, count: number): readonly Effect[] | undefined {
  const lost = missed.filter((frame) => hasId(frame) && !frame.answers).slice(0, count);
  if (lost.length === 0) return undefined;
  const rest = missed.filter((frame) => !lost.includes(frame));
  return [...rest.map((frame) => send(frame.raw)), { do: 'follow' }];
}

/** An answer that has not come yet is lost when it comes: see `untilAnswer`. */
function withoutAnswer(subject: ResumeSubject): readonly Effect[] | undefined {
  if (!hasOwnCursor(subject)) return [];
  const { missed, answered, cursor } = subject;
  const answer = missed.find((frame) => frame.answers);
  if (answer !== undefined) return [send(eventBeyond(answer, cursor))];
  return answered ? undefined : [{ do: 'follow' }];
}

function untilAnswer({ frame, earlier }: FrameSubject): readonly Effect[] {
  if (!frame.answers) return [];
  return [send(eventBeyond(frame, earlier.findLast(hasId)?.id ?? '')), endClient('stall')];
}

/** A later event of the stream, so that the gap shows. */
function eventBeyond(answer: StoredFrame, lastId: string): Uint8Array {
  return foreignEvent(hasId(answer) ? idAfter(answer.id!, 1) : idAfter(lastId, 2), 1);
}
