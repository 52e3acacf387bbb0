/** Where the server's process ends: before a call reaches it, or while the call streams. */
import * as z from 'zod';
import type { Seam } from '../history/fact.ts';
import type { Effect } from './effect.ts';
import type { Detection, Subject } from './fault.ts';
import { breakHere, type Drop, dropParams, ending } from './prelude.ts';

export const processPlaces = {
  ...dropParams,
  at: z
    .enum(['mid-call', 'request'])
    .default('mid-call')
    .describe('While the call streams, or before upstream sees it.'),
};

interface ProcessPlace extends Drop {
  readonly at: 'mid-call' | 'request';
}

export const seamOfProcessEnd = ({ at }: ProcessPlace): Seam => (at === 'request' ? 'request' : 'frame');

/** What the new process says to the old session's id is its own affair: the specification wants a 404. */
export const processEndIsShown: Detection = {
  level: 'definite',
  why: "connections end, and the new process refuses the old session's id; one that takes it has another numbering",
};

export function endProcess(
  subject: Subject,
  place: ProcessPlace,
  restart: Extract<Effect, { readonly do: 'restart-upstream' }>,
): readonly Effect[] | undefined {
  if (place.at === 'request') {
    return subject.seam === 'request' && subject.attempt === 0 ? [restart, { do: 'pass' }] : undefined;
  }
  if (subject.seam !== 'frame') return undefined;
  const found = breakHere(subject, place.after);
  if (found === undefined) return undefined;
  return [...(found.withheld ? [] : [{ do: 'pass' } as const]), restart, ...ending(place)];
}
