/** A server that crashes: nobody is at its port for a while, then a new process that knows no session. */
import * as z from 'zod';
import { endProcess, processEndIsShown, processPlaces, seamOfProcessEnd } from './ended-process.ts';
import { defineFault } from './fault.ts';

const params = z.strictObject({
  ...processPlaces,
  downMs: z
    .int()
    .min(1)
    .max(600_000)
    .default(1000)
    .describe('How long nobody listens before the new process starts, in ms.'),
});

export const killUpstream = defineFault<z.infer<typeof params>>({
  name: 'kill-upstream',
  summary:
    'Kills the managed upstream process (SIGKILL); requests fail until a new one is started on its port.',
  imitates: 'a server that crashes, or is killed for its memory, and is started again by its supervisor',
  reach: 'session',
  seam: seamOfProcessEnd,
  channels: ['POST', 'GET'],
  needs: 'managed upstream',
  control: false,
  detectability: processEndIsShown,
  provokes: ['reinitialises-after-404', 'settles-broken-call', 'resumes-after-drop', 'executes-once'],
  params,
  plan: (subject, place) =>
    endProcess(subject, place, { do: 'restart-upstream', signal: 'SIGKILL', downMs: place.downMs }),
});
