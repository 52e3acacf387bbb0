/**
 * Events whose data is empty: they arrive, and say nothing. 2025-11-25 has servers begin a stream with one
 * (basic/transports, Sending Messages to the Server: an event id and an empty data field), and a reader that
 * takes every event for JSON chokes on it.
 */
import * as z from 'zod';
import { composeFrame } from '../sse/compose.ts';
import { send } from './effect.ts';
import { defineFault } from './fault.ts';
import { series } from './incarnation.ts';

const params = z.strictObject({
  events: z.int().min(1).max(100).default(1).describe('Empty events before each frame.'),
});

/** Without an id: the cursor is left to the events that have something to say. */
const empty = send(composeFrame({ data: '' }));

export const emptyEvents = defineFault<z.infer<typeof params>>({
  name: 'empty-events',
  summary: 'Writes events with an empty data field between the events of a stream.',
  imitates: 'servers that prime their streams, or that send heartbeats as events',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST', 'GET'],
  control: true,
  detectability: {
    level: 'none',
    why: 'an event with empty data carries no message, and nothing is missing',
  },
  provokes: ['survives-controls'],
  params,
  plan(subject, { events }) {
    if (subject.seam !== 'frame') return undefined;
    return [...series(events, () => empty), { do: 'pass' }];
  },
});
