/** A request that can no longer be answered is to be settled then, not at its timeout. */
import { defineObligation, heldIfNoticed } from './obligation.ts';

export const settlesBrokenCall = defineObligation({
  slug: 'settles-broken-call',
  summary: 'settles a call at once when nothing can bring its answer any more',
  statement:
    'A stream that ends with neither the answer nor an id, a refused resumption, a status or body that cannot hold an answer: the call is rejected, or asked for again where that is safe, and not left to its timeout. No revision says so.',
  level: 'ADVICE',
  source: { clause: 'ours; 2025-11-25 leaves it open (issue 1939 of the specification)' },
  occasions: [
    'broken-without-id',
    'cursor-reset',
    'resume-refused',
    'session-refused',
    'no-answer-possible',
    'garbled',
  ],
  judge(settled, { one }) {
    // The session goes on without the stand-alone stream: legal, unless something was lost with it.
    if (one.call === undefined && settled.outcome === 'accepted') {
      return one.lost === undefined || one.lost === 'progress' ? 'held' : 'violated';
    }
    return heldIfNoticed(settled);
  },
});
