/** A server that offers no stand-alone stream (405), or believes that it still holds the old one (409). */
import * as z from 'zod';
import { defineFault } from './fault.ts';

const params = z.strictObject({
  status: z
    .literal([405, 409])
    .default(405)
    .describe('405: no stream at this endpoint. 409: there is one already.'),
});

export const refuseGet = defineFault<z.infer<typeof params>>({
  name: 'refuse-get',
  summary: 'Refuses the stand-alone GET stream; calls by POST go on.',
  imitates: 'a server without a stand-alone stream, or one that has not noticed that the last one broke',
  reach: 'stream',
  seam: 'request',
  channels: ['GET'],
  control: ({ status }) => status === 405,
  detectability: ({ status }) =>
    status === 405
      ? { level: 'none', why: '405 is the legal way to offer no stream, so nothing is wrong' }
      : { level: 'definite', why: 'the status refuses the stream' },
  provokes: ['reconnects-with-pause', 'survives-controls'],
  params,
  plan(subject, { status }) {
    if (subject.seam !== 'request' || subject.attempt !== 0 || subject.call.channel !== 'GET')
      return undefined;
    const message =
      status === 405 ? 'Method not allowed' : 'Conflict: only one stream is allowed per session';
    const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null });
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (status === 405) headers.allow = 'POST, DELETE';
    return [{ do: 'respond', status, headers, body }];
  },
});
