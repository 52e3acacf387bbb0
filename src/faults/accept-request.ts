/** 202 to a request, which is the answer to notifications: the client is left to wait for a stream that never opens. */
import * as z from 'zod';
import { defineFault } from './fault.ts';

const params = z.strictObject({});

export const acceptRequest = defineFault<z.infer<typeof params>>({
  name: 'accept-request',
  summary: 'Answers a request with 202 and no body; upstream never sees it.',
  imitates: 'a gateway that queues every POST',
  reach: 'stream',
  seam: 'request',
  channels: ['POST'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'a request is answered with JSON or a stream in every revision, never with 202',
  },
  provokes: ['settles-broken-call', 'bounds-its-wait'],
  params,
  plan(subject) {
    if (subject.seam !== 'request' || subject.attempt !== 0) return undefined;
    return [{ do: 'respond', status: 202, headers: {}, body: '' }];
  },
});
