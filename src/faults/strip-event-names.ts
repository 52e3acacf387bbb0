/** Events without `event: message`, which is what an event is that does not say (WHATWG HTML 9.2.6). */
import * as z from 'zod';
import { withoutEventName } from '../sse/compose.ts';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';

const params = z.strictObject({});

export const stripEventNames = defineFault<z.infer<typeof params>>({
  name: 'strip-event-names',
  summary: 'Takes the event field off the events of a stream.',
  imitates: 'servers that leave out `event: message`, as the standard lets them',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: true,
  detectability: { level: 'none', why: 'an event without a name is a message event' },
  provokes: ['survives-controls'],
  params,
  plan(subject) {
    if (subject.seam !== 'frame') return undefined;
    return [send(withoutEventName(subject.frame.raw, { first: subject.frame.index === 0 }))];
  },
});
