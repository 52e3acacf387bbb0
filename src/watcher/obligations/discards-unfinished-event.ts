/** The cursor moves with the blank line that ends an event, and with nothing before it. */
import { defineObligation } from './obligation.ts';

export const discardsUnfinishedEvent = defineObligation({
  slug: 'discards-unfinished-event',
  summary: 'forgets an event that was cut off, its id included',
  statement:
    'Once the end of the file is reached, any pending data must be discarded: an event whose blank line never came is not dispatched, and its id does not become the last event ID.',
  level: 'MUST',
  source: {
    since: '2025-03-26',
    until: '2025-11-25',
    clause:
      'basic/transports, Resumability and Redelivery ("as described in the SSE standard"); WHATWG HTML 9.2.6, interpreting an event stream',
    url: 'https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation',
  },
  occasions: ['cut-inside-event'],
  governs: ({ one }) => one.resumed === 'with an unfinished id' || one.resumed === 'with its cursor',
  judge: (_, { one }) => (one.resumed === 'with an unfinished id' ? 'violated' : 'held'),
});
