/** A server process that is replaced under a running session: same id, but counter, calls and subscriptions are gone. */
import * as z from 'zod';
import { defineFault } from './fault.ts';
import { breakHere, dropParams, ending } from './prelude.ts';

const params = z.strictObject({
  ...dropParams,
  at: z
    .enum(['mid-call', 'request'])
    .default('mid-call')
    .describe('While the call streams, or before upstream sees it.'),
});

export const restartSession = defineFault<z.infer<typeof params>>({
  name: 'restart-session',
  summary: "Replaces the upstream session behind the client's session id; a new epoch begins.",
  imitates: 'a rolling restart behind a session id that the new process accepts',
  reach: 'session',
  seam: ({ at }) => (at === 'request' ? 'request' : 'frame'),
  channels: ['POST', 'GET'],
  control: false,
  detectability: ({ at }) =>
    at === 'request'
      ? {
          level: 'none',
          why: 'the new incarnation answers the call; that subscriptions are gone is nowhere on the wire',
        }
      : {
          level: 'inferable',
          why: "the resumed stream is the new incarnation's: the answer never comes, and an event that does has a low id",
        },
  provokes: ['validates-resumed-cursor', 'notices-missing-replay', 'bounds-its-wait', 'executes-once'],
  params,
  plan(subject, params) {
    if (params.at === 'request') {
      if (subject.seam !== 'request' || subject.attempt !== 0) return undefined;
      return [{ do: 'restart-session' }, { do: 'pass' }];
    }
    if (subject.seam !== 'frame') return undefined;
    const found = breakHere(subject, params.after);
    if (found === undefined) return undefined;
    return [
      ...(found.withheld ? [] : [{ do: 'pass' } as const]),
      { do: 'restart-session' },
      ...ending(params),
    ];
  },
});
