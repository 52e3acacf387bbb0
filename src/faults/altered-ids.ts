/**
 * Streams whose ids are altered on their way, then dropped: the client comes back with a cursor that
 * stands for several events.
 */
import { withId } from '../sse/compose.ts';
import { type Effect, send } from './effect.ts';
import type { ResumeSubject, StoredFrame, Subject } from './fault.ts';
import { breakHere, type Drop, ending, hasId } from './prelude.ts';

export type AlterId = (id: string) => string;

export function sendAltered(frame: StoredFrame, alter: AlterId): Effect {
  return send(hasId(frame) ? withId(frame.raw, alter(frame.id!), { first: frame.index === 0 }) : frame.raw);
}

/** Every frame of the stream with its id altered, and the drop; not what is done on a resumption. */
export function alteredStream(subject: Subject, drop: Drop, alter: AlterId): readonly Effect[] | undefined {
  if (subject.seam !== 'frame') return undefined;
  const found = breakHere(subject, drop.after);
  const shown = hasId(subject.frame) ? [sendAltered(subject.frame, alter)] : undefined;
  if (found === undefined) return shown;
  return [...(found.withheld ? [] : (shown ?? [])), ...ending(drop)];
}

/** All that the server has of the stream, oldest first. */
export function bufferOf({ delivered, missed }: ResumeSubject): readonly StoredFrame[] {
  return [...delivered, ...missed];
}

/** What comes after the oldest event that bears the cursor as its altered id; `undefined` where none does. */
export function afterOldestMatch(subject: ResumeSubject, alter: AlterId): readonly StoredFrame[] | undefined {
  const buffer = bufferOf(subject);
  const at = buffer.findIndex((frame) => hasId(frame) && alter(frame.id!) === subject.cursor);
  return at === -1 ? undefined : buffer.slice(at + 1);
}
