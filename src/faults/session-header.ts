/** Where a response's `Mcp-Session-Id` is touched: on the call's own answer, or on that to its resumption. */
import * as z from 'zod';
import type { Seam } from '../history/fact.ts';
import { type Effect, send } from './effect.ts';
import type { Subject } from './fault.ts';
import { type Drop, dropAtBreak, dropParams } from './prelude.ts';

export const headPlaces = {
  at: z
    .enum(['answer', 'resume'])
    .default('answer')
    .describe("The head of the call's own response, or of its resumption after a drop."),
  ...dropParams,
};

export interface HeadPlace extends Drop {
  readonly at: 'answer' | 'resume';
}

export function seamOfHead({ at }: HeadPlace): Seam {
  return at === 'answer' ? 'head' : 'resume';
}

/** `null` takes the header away. What the body says is untouched, on a resumption coherent. */
export function showSession(
  subject: Subject,
  place: HeadPlace,
  id: string | null,
): readonly Effect[] | undefined {
  const head = { do: 'head', headers: { 'mcp-session-id': id } } as const;
  if (place.at === 'answer') return subject.seam === 'head' && subject.attempt === 0 ? [head] : undefined;
  if (subject.seam !== 'resume') return dropAtBreak(subject, place);
  return [head, ...subject.missed.map((frame) => send(frame.raw)), { do: 'follow' }];
}
