/** Resumption itself. It is a SHOULD, and a client that settles its calls at the break owes nothing more. */
import { defineObligation, heldIfNoticed } from './obligation.ts';

export const resumesAfterDrop = defineObligation({
  slug: 'resumes-after-drop',
  summary: 'resumes a broken stream, or settles what waited on it',
  statement:
    'If the client wishes to resume after a disconnection (network failure or server-initiated closure), it SHOULD issue an HTTP GET and include the Last-Event-ID header; after a connection that was closed before the response it SHOULD "poll" the stream by reconnecting.',
  level: 'SHOULD',
  source: {
    since: '2025-03-26',
    until: '2025-11-25',
    clause: 'basic/transports, Resumability and Redelivery; Sending Messages to the Server',
    url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery',
  },
  occasions: ['broken', 'empty-leg', 'cut-inside-event', 'broken-without-id'],
  governs({ one }) {
    // Without an id nothing can be resumed: a call is to be settled, the stand-alone stream opened again.
    return one.occasion.kind !== 'broken-without-id' || one.call === undefined;
  },
  levelOf: ({ one }) => (one.occasion.kind === 'broken-without-id' ? 'ADVICE' : 'SHOULD'),
  judge(settled, { one }) {
    const verdict = heldIfNoticed(settled);
    // Seed 1, Condition of Validity: a client that keeps no cursor is entitled to less, not at fault.
    const keepsNone = one.resumed === 'without a cursor' && one.occasion.kind !== 'broken-without-id';
    return verdict === 'violated' && keepsNone ? 'moot' : verdict;
  },
});
