/** A server or gateway that is overloaded and says when to come again. */
import * as z from 'zod';
import { defineFault } from './fault.ts';

const params = z.strictObject({
  status: z.literal([429, 503]).default(503).describe('Too many requests, or service unavailable.'),
  retryAfterS: z.int().min(0).max(86_400).default(1).describe('Value of Retry-After, in seconds.'),
});

export const busy = defineFault<z.infer<typeof params>>({
  name: 'busy',
  summary: 'Answers the call with 429 or 503 and a Retry-After; upstream never sees it.',
  imitates: 'a rate limit, or a deploy behind a gateway',
  reach: 'stream',
  seam: 'request',
  channels: ['POST', 'GET'],
  control: false,
  detectability: { level: 'definite', why: 'the status refuses the call, and the header says for how long' },
  provokes: ['settles-broken-call', 'reconnects-with-pause'],
  params,
  plan(subject, { status, retryAfterS }) {
    if (subject.seam !== 'request' || subject.attempt !== 0) return undefined;
    const headers = { 'content-type': 'text/plain', 'retry-after': String(retryAfterS) };
    return [
      {
        do: 'respond',
        status,
        headers,
        body: status === 429 ? 'Too Many Requests\n' : 'Service Unavailable\n',
      },
    ];
  },
});
