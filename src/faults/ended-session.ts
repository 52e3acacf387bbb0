/** Where a session ends for its client: before a call, or when the call's broken stream is to be resumed. */
import * as z from 'zod';
import type { Seam } from '../history/fact.ts';
import type { Effect } from './effect.ts';
import type { Subject } from './fault.ts';
import { type Drop, dropAtBreak, dropParams } from './prelude.ts';

export const endingPlaces = {
  at: z
    .enum(['request', 'resume'])
    .default('request')
    .describe('The call itself is refused, or its stream is dropped and the resumption is.'),
  ...dropParams,
};

export interface EndingPlace extends Drop {
  readonly at: 'request' | 'resume';
}

export function seamOfEnding({ at }: EndingPlace): Seam {
  return at;
}

export function endSession(
  subject: Subject,
  place: EndingPlace,
  status: number,
): readonly Effect[] | undefined {
  const refusal = [{ do: 'refuse-session', status }] as const;
  if (place.at === 'request') {
    return subject.seam === 'request' && subject.attempt === 0 ? refusal : undefined;
  }
  return subject.seam === 'resume' ? refusal : dropAtBreak(subject, place);
}
