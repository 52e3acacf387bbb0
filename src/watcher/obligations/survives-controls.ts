/** Specificity: a client that panics at every reconnect detects everything and is of no use. */
import { defineObligation, heldIfNoticed } from './obligation.ts';

export const survivesControls = defineObligation({
  slug: 'survives-controls',
  summary: 'leaves a healthy session alone: no new session, no second execution, nothing lost',
  statement:
    'A disturbance that loses nothing (a stream that can be resumed coherently, other line ends, pauses, comments) is survived: the session goes on, and no call is executed again.',
  level: 'CONTROL',
  source: {
    clause:
      'a rule of this tool (a false alarm costs as much as a miss); seed 1, Decision Boundary ("Below the boundary")',
  },
  occasions: ['broken', 'empty-leg', 'cut-inside-event', 'altered', 'left-out', 'session-id-missing'],
  governs({ one, settled }) {
    if (one.occasion.kind === 'altered' || one.occasion.kind === 'left-out') return true;
    if (!one.occasion.control) return false;
    if (settled?.outcome === 'overreacted') return true;
    return one.occasion.kind === 'broken' && one.coherent && settled?.outcome === 'recovered';
  },
  levelOf: ({ one }) => (one.occasion.control ? 'CONTROL' : 'ADVICE'),
  judge: heldIfNoticed,
});
