/** Timeouts: where nothing else can show that an answer is lost, time does. */
import { defineObligation, heldIfNoticed } from './obligation.ts';

export const boundsItsWait = defineObligation({
  slug: 'bounds-its-wait',
  summary: 'has a bound on every wait',
  statement:
    'Implementations SHOULD establish timeouts for all sent requests. When the request has not received a success or error response within the timeout period, the sender SHOULD issue a cancellation notification for that request and stop waiting.',
  level: 'SHOULD',
  source: {
    since: '2025-03-26',
    until: '2025-11-25',
    clause: 'basic/lifecycle, Timeouts',
    url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts',
  },
  occasions: ['withheld', 'stalled'],
  levelOf: ({ one }) => (one.call === undefined ? 'ADVICE' : 'SHOULD'),
  // A client that times out has not noticed anything, and keeps this one all the same.
  judge: (settled) => (settled.outcome === 'timed-out' ? 'held' : heldIfNoticed(settled)),
});
