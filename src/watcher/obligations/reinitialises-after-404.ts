/** Session Management: the one hard duty of a client whose session is gone. */
import { defineObligation } from './obligation.ts';

export const reinitialisesAfter404 = defineObligation({
  slug: 'reinitialises-after-404',
  summary: 'begins a new session when its session id is answered with 404',
  statement:
    'When a client receives HTTP 404 in response to a request containing a session id, it MUST start a new session by sending a new InitializeRequest without a session id attached.',
  level: 'MUST',
  source: {
    since: '2025-03-26',
    until: '2025-11-25',
    clause: 'basic/transports, Session Management',
    url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management',
  },
  occasions: ['session-lost'],
  judge({ outcome }, { one }) {
    if (one.reused) return 'violated';
    switch (outcome) {
      case 'recovered':
      case 'reset':
        return 'held';
      // The application was told; that nobody used the session again is neither.
      case 'surfaced':
        return 'undetermined';
      default:
        return 'violated';
    }
  },
});
