/** An answer under another request's id: two ids swapped in a gateway, or a number that became a string. */
import * as z from 'zod';
import { withData } from '../sse/compose.ts';
import { readFields } from '../sse/fields.ts';
import { send } from './effect.ts';
import { defineFault, type StoredFrame } from './fault.ts';

const params = z.strictObject({
  to: z
    .enum(['unknown-id', 'other-type'])
    .default('unknown-id')
    .describe('An id that no request had, or the same id as a string instead of a number and the reverse.'),
});

type Params = z.infer<typeof params>;

export const misrouteResponse = defineFault<Params>({
  name: 'misroute-response',
  summary: "Gives the answer another JSON-RPC id than the request's.",
  imitates: 'a gateway that renumbers requests and loses track',
  reach: 'stream',
  seam: 'frame',
  channels: ['POST'],
  control: false,
  detectability: {
    level: 'definite',
    why: 'a response whose id belongs to no request, on a stream that ends without the right one',
  },
  provokes: ['matches-responses', 'settles-broken-call', 'bounds-its-wait'],
  params,
  plan(subject, { to }) {
    const misrouted = (frame: StoredFrame) => ({ ...frame, raw: renumbered(frame, to) });
    if (subject.seam === 'frame') {
      return subject.frame.answers ? [send(misrouted(subject.frame).raw)] : undefined;
    }
    if (subject.seam !== 'resume' || !subject.missed.some((frame) => frame.answers)) return undefined;
    const shown = subject.missed.map((frame) => (frame.answers ? misrouted(frame) : frame));
    return [...shown.map((frame) => send(frame.raw)), { do: 'follow' }];
  },
});

function renumbered(frame: StoredFrame, to: Params['to']): Uint8Array {
  const options = { first: frame.index === 0 };
  const message: unknown = JSON.parse(readFields(frame.raw, options).data ?? 'null');
  const renumber = (one: unknown): unknown =>
    typeof one === 'object' && one !== null && 'id' in one ? { ...one, id: another(one.id, to) } : one;
  const changed = Array.isArray(message) ? message.map(renumber) : renumber(message);
  return withData(frame.raw, JSON.stringify(changed), options);
}

function another(id: unknown, to: Params['to']): unknown {
  if (to === 'unknown-id') return `mcp-chaos-unknown-${String(id)}`;
  if (typeof id === 'number') return String(id);
  const number = Number(id);
  return Number.isNaN(number) ? 0 : number;
}
