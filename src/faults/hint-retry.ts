/** A server that closes on purpose and says when to come again, as polling servers do. */
import * as z from 'zod';
import { composeFrame } from '../sse/compose.ts';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';
import { breakHere, dropParams, ending } from './prelude.ts';

const params = z.strictObject({
  ...dropParams,
  how: dropParams.how.default('complete'),
  retryMs: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(1500)
    .describe('Value of the `retry` field, in ms.'),
});

/** A client's own deadline may be shorter than a longer pause, and it is right to give up then. */
const patience = 5000;

export const hintRetry = defineFault<z.infer<typeof params>>({
  name: 'hint-retry',
  summary: 'Sends a `retry` field, then ends the stream; a resumption is coherent.',
  imitates: 'a server that wants to be polled (2025-11-25 basic/transports: a client MUST respect `retry`)',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: ({ retryMs }) => retryMs <= patience,
  detectability: {
    level: 'definite',
    why: 'the stream ends without its answer, and the last id and `retry` say where and when to go on',
  },
  provokes: ['respects-retry', 'resumes-after-drop', 'keeps-cursor'],
  params,
  plan(subject, params) {
    if (subject.seam !== 'frame') return undefined;
    const found = breakHere(subject, params.after);
    if (found === undefined) return undefined;
    const hint = send(composeFrame({ retryMs: params.retryMs }));
    return [...(found.withheld ? [] : [{ do: 'pass' } as const]), hint, ...ending(params)];
  },
});
