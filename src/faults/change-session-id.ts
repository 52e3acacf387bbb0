/** A response in mid-session that bears another session id: a balancer that chose another server. */
import * as z from 'zod';
import { defineFault } from './fault.ts';
import { headPlaces, seamOfHead, showSession } from './session-header.ts';

const params = z.strictObject({
  ...headPlaces,
  id: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'visible ASCII characters only')
    .max(256)
    .default('mcp-chaos-another-session-*')
    .describe('The session id that is shown; `*` becomes something that no other session has.'),
});

export const changeSessionId = defineFault<z.infer<typeof params>>({
  name: 'change-session-id',
  summary: 'Shows another Mcp-Session-Id than the one the session began with.',
  imitates: 'a load balancer that sends a session to a server that does not know it',
  reach: 'session',
  seam: seamOfHead,
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'the header differs from the id of the session; an id is given with the answer to `initialize` only',
  },
  provokes: ['keeps-session-id'],
  params,
  plan: (subject, params) => showSession(subject, params, params.id),
});
