/** A session that the server has forgotten, and says so as the specification wants it said. */
import * as z from 'zod';
import { endingPlaces, endSession, seamOfEnding } from './ended-session.ts';
import { defineFault } from './fault.ts';

const params = z.strictObject(endingPlaces);

export const expireSession = defineFault<z.infer<typeof params>>({
  name: 'expire-session',
  summary:
    'Answers 404 to every request that carries the session id, from this call on or from its resumption on.',
  imitates:
    'a session that ran out or went with its server (2025-11-25 basic/transports, Session Management)',
  reach: 'session',
  seam: seamOfEnding,
  channels: ['POST', 'GET'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'a 404 to a request with a session id says that the session is over',
  },
  provokes: ['reinitialises-after-404', 'settles-broken-call', 'executes-once'],
  params,
  plan: (subject, params) => endSession(subject, params, 404),
});
