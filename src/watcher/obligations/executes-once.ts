/** A call that may have run is not run again in silence. */
import { defineObligation } from './obligation.ts';

export const executesOnce = defineObligation({
  slug: 'executes-once',
  summary: 'does not send a call again in its session that the server may have run',
  statement:
    'Whether a call ran whose answer was lost, a client cannot know: it reports that, and leaves it to its host to ask again. Sending it again by itself runs its side effects twice; the same holds for answering a replayed request of the server twice.',
  level: 'ADVICE',
  source: {
    clause:
      "seed 2, Operational Effect (duplicate side effects); seed 1: replay from the application's checkpoint, never from the cursor",
  },
  occasions: ['executed-again', 'broken', 'empty-leg', 'cut-inside-event'],
  governs({ one, settled }) {
    if (one.occasion.kind === 'executed-again') return true;
    return settled?.outcome === 'overreacted' && one.reissue?.session === one.session;
  },
  levelOf: ({ one }) => (one.occasion.control ? 'CONTROL' : 'ADVICE'),
  judge: ({ outcome }) => (outcome === 'overreacted' ? 'violated' : 'held'),
});
