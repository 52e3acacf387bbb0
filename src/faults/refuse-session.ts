/** A dead session that the server does not report with 404, as many do: 400 for an unknown id is the commonest. */
import * as z from 'zod';
import { endingPlaces, endSession, seamOfEnding } from './ended-session.ts';
import { defineFault } from './fault.ts';

const params = z.strictObject({
  ...endingPlaces,
  status: z
    .literal([400, 401, 410])
    .default(400)
    .describe('What every request with the session id is answered.'),
});

export const refuseSession = defineFault<z.infer<typeof params>>({
  name: 'refuse-session',
  summary: 'Answers 400, 401 or 410 to every request that carries the session id.',
  imitates:
    'servers that lost a session and answer another status than the 404 that the specification asks for',
  reach: 'session',
  seam: seamOfEnding,
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'the status refuses the request; only a 404 obliges the client to begin a new session',
  },
  provokes: ['settles-broken-call', 'reconnects-with-pause', 'executes-once'],
  params,
  plan: (subject, params) => endSession(subject, params, params.status),
});
