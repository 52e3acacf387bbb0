/** Comments that keep a connection busy and mean nothing: they are no events, and no progress. */
import * as z from 'zod';
import { composeFrame } from '../sse/compose.ts';
import { type Effect, send } from './effect.ts';
import { defineFault } from './fault.ts';
import { series } from './incarnation.ts';

const params = z.strictObject({
  comments: z.int().min(1).max(100).default(3).describe('Comments before each frame.'),
  gapMs: z.int().min(0).max(60_000).default(0).describe('Pause after each comment, in ms.'),
});

const comment = composeFrame({ comment: 'keep-alive' });

export const keepAliveComments = defineFault<z.infer<typeof params>>({
  name: 'keep-alive-comments',
  summary: 'Writes comments between the events of a stream.',
  imitates: 'servers and proxies that keep a quiet connection open',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: true,
  detectability: { level: 'none', why: 'comments are to be ignored (WHATWG HTML 9.2.6)' },
  provokes: ['survives-controls'],
  params,
  plan(subject, { comments, gapMs }) {
    if (subject.seam !== 'frame') return undefined;
    const one: readonly Effect[] =
      gapMs === 0 ? [send(comment)] : [send(comment), { do: 'wait', delayMs: gapMs }];
    return [...series(comments, () => one).flat(), { do: 'pass' }];
  },
});
