/** The first seed's signature (c), and silence: 200, and what was missed does not come. */
import { defineObligation, heldIfNoticed, onlyProgress } from './obligation.ts';

export const noticesMissingReplay = defineObligation({
  slug: 'notices-missing-replay',
  summary: 'notices that a resumed stream brings nothing of what it missed',
  statement:
    "The server emits a fresh id with no replay at all despite the client presenting a cursor: it silently discarded the buffer and opened a new epoch. The correct response is not to resume but to treat the session as lost. Where nothing comes at all, a liveness probe or a deadline below the call's own shows it.",
  level: 'CONTRACT',
  source: { clause: 'seed 1, Core Distinction (c); seed 2, Condition of Validity (session-liveness signal)' },
  occasions: ['resumed-fresh', 'resumed-silent'],
  levelOf: (judged) => (onlyProgress(judged) ? 'ADVICE' : 'CONTRACT'),
  judge: heldIfNoticed,
});
