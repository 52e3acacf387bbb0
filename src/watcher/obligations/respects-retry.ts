/** `retry` is the server's word on when to come back. */
import { requiresRetryRespect } from '../../mcp/revision.ts';
import { defineObligation } from './obligation.ts';

export const respectsRetry = defineObligation({
  slug: 'respects-retry',
  summary: 'waits as long as `retry` says before it reconnects',
  statement:
    'The client MUST respect the `retry` field, waiting the given number of milliseconds before attempting to reconnect.',
  level: 'MUST',
  source: {
    since: '2025-11-25',
    until: '2025-11-25',
    clause: 'basic/transports, Sending Messages to the Server 6; before that WHATWG HTML 9.2.3 alone',
    url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server',
  },
  occasions: ['retry-announced'],
  levelOf: ({ one }) => (requiresRetryRespect(one.session.revision) ? 'MUST' : 'ADVICE'),
  judge: ({ outcome }) => (outcome === 'recovered' ? 'held' : 'violated'),
});
