/** The first seed: 200 is no proof of continuity, the first replayed id is. */
import { isOnLiveStream } from '../occasion.ts';
import { defineObligation, heldIfNoticed, onlyProgress } from './obligation.ts';

export const validatesResumedCursor = defineObligation({
  slug: 'validates-resumed-cursor',
  summary: 'compares the first id after a reconnect with its cursor, and rejects what does not follow it',
  statement:
    'Called on the first SSE frame after a reconnect that presented Last-Event-ID. Enforces: same epoch, and first replayed id == last_seen_id + 1. Anything else is a desync and must NOT be resumed.',
  level: 'CONTRACT',
  source: { clause: 'seed 1, Core Distinction (a) and (b), Decision Boundary, validate_resumed_cursor' },
  occasions: [
    'ids-out-of-contract',
    'live-gap',
    'resumed-lower',
    'resumed-gap',
    'resumed-other-epoch',
    'resumed-again',
    'resumed-out-of-order',
    'resumed-foreign',
  ],
  governs: ({ one, contract }) => one.occasion.kind !== 'resumed-foreign' || contract !== 'opaque',
  levelOf(judged) {
    const { kind } = judged.one.occasion;
    // What a client has had already, with the same content, loses nothing; whether it was dropped, the wire cannot show.
    const harmless = kind === 'resumed-again' || onlyProgress(judged);
    return harmless || isOnLiveStream(kind) ? 'ADVICE' : 'CONTRACT';
  },
  judge(settled, { one, contract }) {
    // Seed 1, Condition of Validity: with ids that cannot be compared a regression means nothing.
    if (contract === 'opaque') return 'moot';
    if (contract === 'monotonic:session' && one.occasion.kind === 'resumed-gap') return 'moot';
    return heldIfNoticed(settled);
  },
});
