/** Reconnecting is not a loop. */
import { defineObligation } from './obligation.ts';

export const reconnectsWithPause = defineObligation({
  slug: 'reconnects-with-pause',
  summary: 'pauses before it reconnects, and longer when it is in vain',
  statement:
    'A user agent waits for its reconnection time before it reconnects, and may wait longer after failures (WHATWG HTML 9.2.3). A client that reconnects without a pause, or for ever at one pace to streams that bring nothing, is a load and no help.',
  level: 'CONTROL',
  source: {
    clause: 'ours; WHATWG HTML 9.2.3 (reconnection time, exponential back-off)',
    url: 'https://html.spec.whatwg.org/multipage/server-sent-events.html#reconnection-time',
  },
  occasions: ['reconnected-often'],
  levelOf: ({ one }) => (one.flags.has('storm') ? 'CONTROL' : 'ADVICE'),
  judge: ({ outcome }) => (outcome === 'recovered' ? 'held' : 'violated'),
});
