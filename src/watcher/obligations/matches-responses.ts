/** Responses are matched by id, once; and a request that is answered is done. */
import { defineObligation, heldIfNoticed, onlyProgress } from './obligation.ts';

export const matchesResponses = defineObligation({
  slug: 'matches-responses',
  summary: 'takes a response for the request whose id it bears, once, and asks for no more',
  statement:
    'A response carries the same id as its request. A second response, or one for another request, settles nothing; the client goes on waiting for its own, within its bounds, and does not come back for an answer that it has.',
  level: 'ADVICE',
  source: {
    since: '2025-03-26',
    until: '2025-11-25',
    clause:
      'basic, Responses ("MUST include the same ID"); basic/transports, Resumability (no replay of other streams)',
    url: 'https://modelcontextprotocol.io/specification/2025-11-25/basic#responses',
  },
  occasions: ['answered-twice', 'misrouted', 'resumed-foreign', 'resumed-after-answer'],
  judge(settled, judged) {
    if (judged.one.occasion.kind === 'resumed-foreign' && onlyProgress(judged)) return 'held';
    return heldIfNoticed(settled);
  },
});
