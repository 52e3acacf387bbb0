/** A connection that dies under a stream: a load balancer's idle timeout, a lost network, a server that polls. */
import * as z from 'zod';
import { endClient } from './effect.ts';
import { type Detection, defineFault, type FrameSubject } from './fault.ts';
import { cuts, dropAtBreak, hasId } from './prelude.ts';

const places = [
  'before-head',
  'before-first-frame',
  'before-first-id',
  'after-frame',
  'before-response',
  'after-response',
] as const;

const params = z.strictObject({
  how: z.enum(cuts).default('fin').describe('How the connection ends.'),
  where: z.enum(places).default('after-frame').describe('Where in the stream it ends.'),
  after: z
    .int()
    .min(1)
    .max(100_000)
    .default(2)
    .describe('For `after-frame`: frames with an id that are shown before; the answer breaks it earlier.'),
});

type Params = z.infer<typeof params>;

export const dropStream = defineFault<Params>({
  name: 'drop-stream',
  summary: "Ends the client's side of a stream; a resumption is coherent.",
  imitates: 'an idle timeout, a lost network, or a server that closes the connection and wants to be polled',
  reach: 'stream',
  seam: ({ where }) => (where === 'before-head' || where === 'before-first-frame' ? 'head' : 'frame'),
  channels: ['POST', 'GET'],
  // With a reset the answer may be lost in the socket although it was written.
  control: ({ where, how }) => isResumable(where) || (where === 'after-response' && how !== 'reset'),
  detectability: detect,
  provokes: ['resumes-after-drop', 'keeps-cursor', 'settles-broken-call', 'survives-controls'],
  params,
  plan(subject, { how, where, after }) {
    if (subject.attempt !== 0) return undefined;
    if (where === 'before-head') {
      // Upstream has done its work. Without a head there is nothing that could end properly.
      return subject.seam === 'head' ? [endClient(how === 'complete' ? 'fin' : how)] : undefined;
    }
    if (where === 'before-first-frame') {
      return subject.seam === 'head' && subject.sse ? [{ do: 'pass' }, endClient(how)] : undefined;
    }
    if (subject.seam !== 'frame') return undefined;
    if (where === 'before-first-id') return isFirstId(subject) ? [endClient(how)] : undefined;
    if (where === 'after-response')
      return subject.frame.answers ? [{ do: 'pass' }, endClient(how)] : undefined;
    return dropAtBreak(subject, { after: where === 'after-frame' ? after : Infinity, how, idleMs: 0 });
  },
});

/** These drop only once an id was shown and before the answer. */
function isResumable(where: Params['where']): boolean {
  return where === 'after-frame' || where === 'before-response';
}

/** The first frame with an id; an answer without one is the last chance to break the stream at all. */
function isFirstId({ frame, earlier }: FrameSubject): boolean {
  return (hasId(frame) || frame.answers) && !earlier.some((other) => hasId(other) || other.answers);
}

function detect({ where, how }: Params): Detection {
  if (isResumable(where)) {
    return {
      level: 'definite',
      why: 'the stream ends without its answer, and the last id says where to go on',
    };
  }
  if (where === 'after-response') {
    return how === 'reset'
      ? { level: 'definite', why: 'the connection is reset while the answer may still be on its way' }
      : { level: 'none', why: 'the answer was there before the stream ended, so nothing is missing' };
  }
  return {
    level: 'definite',
    why: 'the connection ends without the answer and without any id to resume from',
  };
}
