/**
 * The drop that comes before a resumption: after a number of frames with an id, or right before the
 * answer, whichever comes first. A wait past the answer would miss the call; a drop before any id could
 * not be resumed, so then the stream passes.
 */
import * as z from 'zod';
import { type Effect, endClient } from './effect.ts';
import type { FrameSubject, ResumeSubject, StoredFrame, Subject } from './fault.ts';

/** How a connection may go while its stream is wanted. `complete` = a clean end, as servers send when they poll. */
export const cuts = ['fin', 'reset', 'complete'] as const;

export const dropParams = {
  after: z
    .int()
    .min(1)
    .max(100_000)
    .default(2)
    .describe('Frames with an id that are shown before the stream breaks; the answer breaks it earlier.'),
  how: z.enum(cuts).default('fin').describe('How the connection ends.'),
  idleMs: z.int().min(0).max(600_000).default(0).describe('Silence before the connection ends, in ms.'),
};

export const preludeParams = {
  ...dropParams,
  times: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Resumptions that go wrong; later ones are coherent. Left out: all of them.'),
};

export interface Drop {
  readonly after: number;
  readonly how: (typeof cuts)[number];
  readonly idleMs: number;
}

export interface Prelude extends Drop {
  readonly times?: number | undefined;
}

/** Where a stream breaks: at this frame, which is shown before the drop or, being the answer, withheld. */
export interface Break {
  readonly index: number;
  readonly withheld: boolean;
}

/** Over the frames of a stream from its beginning. */
function findBreak(frames: Iterable<StoredFrame>, after: number): Break | undefined {
  let shown = 0;
  for (const frame of frames) {
    if (frame.answers) return shown === 0 ? undefined : { index: frame.index, withheld: true };
    if (hasId(frame)) shown += 1;
    if (shown === after && hasId(frame)) return { index: frame.index, withheld: false };
  }
  return undefined;
}

/** Whether the stream breaks at this very frame, in the exchange it was born in. */
export function breakHere(subject: FrameSubject, after: number): Break | undefined {
  if (subject.attempt !== 0) return undefined;
  const found = findBreak([...subject.earlier, subject.frame], after);
  return found?.index === subject.frame.index ? found : undefined;
}

/** An empty id resets the client's cursor, so it is none that a client could resume from. */
export function hasId(frame: StoredFrame): boolean {
  return frame.id !== undefined && frame.id !== '';
}

/** Frames with an id among these. */
export function countIds(frames: readonly StoredFrame[]): number {
  return frames.filter(hasId).length;
}

/** The drop itself; `undefined` everywhere but at the break. */
export function dropAtBreak(subject: Subject, drop: Drop): readonly Effect[] | undefined {
  if (subject.seam !== 'frame') return undefined;
  const found = breakHere(subject, drop.after);
  if (found === undefined) return undefined;
  return [...(found.withheld ? [] : [{ do: 'pass' } as const]), ...ending(drop)];
}

export function ending(drop: Drop): readonly Effect[] {
  return [...(drop.idleMs > 0 ? [{ do: 'wait', delayMs: drop.idleMs } as const] : []), endClient(drop.how)];
}

/** The plan of a fault that drops the stream and then answers its resumption in its own way. */
export function onResume<Params extends Prelude>(
  act: (subject: ResumeSubject, params: Params) => readonly Effect[] | undefined,
): (subject: Subject, params: Params) => readonly Effect[] | undefined {
  return (subject, params) => {
    if (subject.seam !== 'resume') return dropAtBreak(subject, params);
    return isOver(subject, params) ? undefined : act(subject, params);
  };
}

/** The fault has had its number of resumptions. */
export function isOver(subject: Subject, { times }: Prelude): boolean {
  return times !== undefined && subject.attempt > times;
}
