/** A response in mid-session without the session id, which only the answer to `initialize` has to carry. */
import * as z from 'zod';
import { defineFault } from './fault.ts';
import { headPlaces, seamOfHead, showSession } from './session-header.ts';

const params = z.strictObject(headPlaces);

export const dropSessionId = defineFault<z.infer<typeof params>>({
  name: 'drop-session-id',
  summary: 'Leaves the Mcp-Session-Id header out of a response in mid-session.',
  imitates: 'a middlebox that strips headers it does not know, or a server that names the session only once',
  reach: 'session',
  seam: seamOfHead,
  channels: ['POST', 'GET'],
  control: true,
  detectability: {
    level: 'none',
    why: 'the specification wants the header on the answer to `initialize` only, so its absence means nothing',
  },
  provokes: ['keeps-session-id', 'survives-controls'],
  params,
  plan: (subject, params) => showSession(subject, params, null),
});
