/** The second seed: the ids go on, the content is another incarnation's. */
import { defineObligation, heldIfNoticed, onlyProgress } from './obligation.ts';

export const checksReplayedDigest = defineObligation({
  slug: 'checks-replayed-digest',
  summary: 'compares an event that comes again with what it had under that id',
  statement:
    "The client maintains an out-of-band record of the last fully-processed event id and the last event's semantic digest, persisted across the disconnect; an event that is replayed with another digest is a divergence.",
  level: 'CONTRACT',
  source: { clause: 'seed 2, Condition of Validity and Decision Boundary' },
  occasions: ['resumed-other-content', 'resumed-seamless', 'id-reused'],
  // The seed keeps its record for a reconnect.
  levelOf: (judged) =>
    onlyProgress(judged) || judged.one.occasion.kind === 'id-reused' ? 'ADVICE' : 'CONTRACT',
  judge: heldIfNoticed,
});
