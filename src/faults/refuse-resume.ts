/** A resumption that the server will not or cannot do. No revision says how a server should put it. */
import * as z from 'zod';
import { defineFault } from './fault.ts';
import { onResume, preludeParams } from './prelude.ts';

const params = z.strictObject({
  ...preludeParams,
  status: z.literal([204, 400, 405, 409, 410]).default(400).describe('What the resumption is answered.'),
});

export const refuseResume = defineFault<z.infer<typeof params>>({
  name: 'refuse-resume',
  summary: 'Drops the stream, then refuses to resume it; the session itself lives on.',
  imitates: 'a server whose buffer no longer has the cursor (issue 1939 of the specification, open)',
  reach: 'stream',
  seam: 'resume',
  channels: ['POST', 'GET'],
  control: false,
  detectability: { level: 'definite', why: 'the status says that this stream will not go on' },
  provokes: ['settles-broken-call', 'reconnects-with-pause', 'executes-once'],
  params,
  plan: onResume((_, { status }) => {
    if (status === 204) return [{ do: 'respond', status, headers: {}, body: '' }];
    const error = { code: -32000, message: `Cannot resume from this Last-Event-ID (${status})` };
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (status === 405) headers.allow = 'POST, DELETE';
    return [{ do: 'respond', status, headers, body: JSON.stringify({ jsonrpc: '2.0', error, id: null }) }];
  }),
});
