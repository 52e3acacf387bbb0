/** A stream under another content type: a login page's, or that of a gateway which labels everything alike. */
import * as z from 'zod';
import { defineFault } from './fault.ts';

const params = z.strictObject({
  type: z
    .enum(['text/html', 'text/plain', 'application/json'])
    .default('text/html')
    .describe('What is shown instead of text/event-stream.'),
});

export const wrongContentType = defineFault<z.infer<typeof params>>({
  name: 'wrong-content-type',
  summary: 'Labels an event stream as something else; the body is untouched.',
  imitates: 'a gateway or captive portal that sets its own content type',
  reach: 'stream',
  seam: 'head',
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'the content type is none that the specification allows, or not what the body is',
  },
  provokes: ['settles-broken-call', 'reconnects-with-pause'],
  params,
  plan(subject, { type }) {
    if (subject.seam !== 'head' || subject.attempt !== 0 || !subject.sse) return undefined;
    return [{ do: 'head', headers: { 'content-type': type } }];
  },
});
