/** A rolling restart for real: the process is asked to end, a new one takes its port, and no session is known any more. */
import * as z from 'zod';
import { endProcess, processEndIsShown, processPlaces, seamOfProcessEnd } from './ended-process.ts';
import { defineFault } from './fault.ts';

const params = z.strictObject(processPlaces);

export const restartUpstream = defineFault<z.infer<typeof params>>({
  name: 'restart-upstream',
  summary:
    'Ends the managed upstream process with SIGTERM and starts a new one on its port; requests wait for it.',
  imitates: 'a rolling restart behind a balancer that keeps clients waiting and no sessions',
  reach: 'session',
  seam: seamOfProcessEnd,
  channels: ['POST', 'GET'],
  needs: 'managed upstream',
  control: false,
  detectability: processEndIsShown,
  provokes: ['reinitialises-after-404', 'settles-broken-call', 'resumes-after-drop', 'executes-once'],
  params,
  plan: (subject, place) =>
    endProcess(subject, place, { do: 'restart-upstream', signal: 'SIGTERM', downMs: 0 }),
});
