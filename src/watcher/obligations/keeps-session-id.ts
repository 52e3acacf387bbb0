/** The id is assigned with the InitializeResult; what a later response says has no defined meaning. */
import { defineObligation } from './obligation.ts';

export const keepsSessionId = defineObligation({
  slug: 'keeps-session-id',
  summary: 'keeps its session id, or begins a new session; never adopts another id in silence',
  statement:
    'A session id is assigned on the response that carries the InitializeResult, and the client MUST include it in all its requests. Seed 2 wants a changed id taken for an invalid session: re-initialize. Both hold; adopting the new id without a word does not.',
  level: 'ADVICE',
  source: {
    since: '2025-03-26',
    until: '2025-11-25',
    clause: 'basic/transports, Session Management 1 and 2; seed 2, Decision Boundary 1',
    url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management',
  },
  occasions: ['session-id-changed', 'session-id-missing'],
  judge: ({ outcome }) => (outcome === 'recovered' || outcome === 'reset' ? 'held' : 'violated'),
});
