/**
 * A notification that gets lost while its stream is open and well. It has no answer, and nothing asks for it
 * again: what remains of it is a gap in the ids, or nothing at all where the loss came before the ids did.
 */
import * as z from 'zod';
import { readMessages } from '../mcp/message.ts';
import { withId } from '../sse/compose.ts';
import { readFields } from '../sse/fields.ts';
import { type Effect, send } from './effect.ts';
import { defineFault, type StoredFrame, type Subject } from './fault.ts';
import { countIds, hasId } from './prelude.ts';

const params = z.strictObject({
  which: z
    .enum(['any', 'progress', 'message', 'state'])
    .default('any')
    .describe(
      'Progress, log messages, or what tells of a change: resources/updated, list_changed and all others.',
    ),
  after: z.int().min(0).max(100_000).default(0).describe('Notifications of that kind that are shown before.'),
  count: z.int().min(1).max(100_000).default(1).describe('How many are lost.'),
  ids: z
    .enum(['gap', 'seamless'])
    .default('gap')
    .describe(
      'The lost one had its id, which is missing now, or none yet: the ids of what follows close up. Ids of upstream (contract `opaque`) are left alone.',
    ),
});

type Params = z.infer<typeof params>;

export const swallowNotification = defineFault<Params>({
  name: 'swallow-notification',
  summary: 'Withholds a notification; its stream stays open, and everything else on it arrives.',
  imitates: 'a server whose queue overflows, or whose workers do not all hear of a change',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: false,
  detectability: ({ ids }) =>
    ids === 'gap'
      ? {
          level: 'definite',
          why: 'the next id is not the one that the contract promises (where ids may jump, or no other event follows, nobody could know); and no text asks a client to compare the ids of a stream that did not break',
        }
      : { level: 'none', why: 'ids go on as they should, and nobody waits for a notification' },
  provokes: ['validates-resumed-cursor', 'survives-controls'],
  params,
  plan(subject, params) {
    switch (subject.seam) {
      case 'frame': {
        const frames = [...subject.earlier, subject.frame];
        const lost = lostAmong(frames, params);
        if (lost.includes(subject.frame)) return [];
        const raw = closesUp(subject, params) ? withIdBefore(subject.frame, frames, lost) : subject.frame.raw;
        return raw === subject.frame.raw ? undefined : [send(raw)];
      }
      case 'resume': {
        const frames = [...subject.delivered, ...subject.missed];
        const lost = lostAmong(frames, params);
        const sent = subject.missed
          .filter((frame) => !lost.includes(frame))
          .map((frame): Effect => {
            const raw = closesUp(subject, params) ? withIdBefore(frame, frames, lost) : frame.raw;
            return { do: 'send', raw, index: frame.index };
          });
        const concerned = subject.missed.some((frame) => lost.includes(frame) || closesUp(subject, params));
        return concerned ? [...sent, { do: 'follow' }] : undefined;
      }
      default:
        return undefined;
    }
  },
});

/** Of the frames of a stream from its beginning. */
function lostAmong(frames: readonly StoredFrame[], { which, after, count }: Params): readonly StoredFrame[] {
  return frames.filter((frame) => isOfKind(frame, which)).slice(after, after + count);
}

function isOfKind({ content, raw, index }: StoredFrame, which: Params['which']): boolean {
  if (content !== 'notification') return false;
  if (which === 'any') return true;
  const { data } = readFields(raw, { first: index === 0 });
  const messages = readMessages(data ?? '')?.messages ?? [];
  return messages.every((message) => message.type === 'notification' && kindOf(message.method) === which);
}

function kindOf(method: string): Params['which'] {
  if (method === 'notifications/progress') return 'progress';
  return method === 'notifications/message' ? 'message' : 'state';
}

/** Upstream resumes by its own ids where they are not ours. */
function closesUp({ call }: Subject, { ids }: Params): boolean {
  return ids === 'seamless' && call.contract !== 'opaque';
}

/** With the id that it has where what was lost before it was never numbered: as many ids of its stream back. */
function withIdBefore(
  frame: StoredFrame,
  frames: readonly StoredFrame[],
  lost: readonly StoredFrame[],
): Uint8Array {
  const before = countIds(lost.filter(({ index }) => index < frame.index));
  if (!hasId(frame) || before === 0) return frame.raw;
  const numbered = frames.filter(hasId);
  const { id } = numbered[numbered.indexOf(frame) - before]!;
  return withId(frame.raw, id!, { first: frame.index === 0 });
}
