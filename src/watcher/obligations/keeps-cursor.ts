/** The cursor is sticky over events without an id and over legs without an event, and an empty id resets it. */
import { defineObligation } from './obligation.ts';

export const keepsCursor = defineObligation({
  slug: 'keeps-cursor',
  summary: 'resumes with the last id it was shown, byte for byte, also after a leg without any',
  statement:
    'To resume after a disconnection the client SHOULD issue a GET with `Last-Event-ID` "to indicate the last event ID it received". The last event ID stays until another one, or an empty one, comes (SSE standard).',
  level: 'SHOULD',
  source: {
    since: '2025-03-26',
    until: '2025-11-25',
    clause: 'basic/transports, Resumability and Redelivery; WHATWG HTML 9.2.6',
    url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery',
  },
  occasions: ['broken', 'empty-leg', 'cut-inside-event', 'cursor-reset'],
  governs({ one }) {
    if (one.resumed === 'with a wrong cursor') return true;
    if (one.resumed === 'without a cursor')
      return one.session.usesCursors && one.settled?.outcome !== 'recovered';
    return one.occasion.kind === 'empty-leg' && one.resumed === 'with its cursor' && one.tries.length > 1;
  },
  judge: (_, { one }) => (one.resumed === 'with its cursor' ? 'held' : 'violated'),
});
