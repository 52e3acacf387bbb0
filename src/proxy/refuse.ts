/** What is not for us: answered with the reason, and seen by no upstream. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from './address.ts';
import { createClientSide } from './client-side.ts';
import { journalHeaders } from './headers.ts';
import { defaultScope } from './route.ts';
import type { RunContext } from './run-context.ts';

export function refuse(
  run: RunContext,
  ids: { readonly exchange: number; readonly connection: number },
  request: IncomingMessage,
  response: ServerResponse,
  { status, why }: Refusal,
): void {
  run.record({
    kind: 'request',
    ...ids,
    upstream: run.upstream.name,
    scope: defaultScope,
    lane: '',
    verb: request.method ?? 'GET',
    path: (request.url ?? '/').split('?')[0]!,
    headers: journalHeaders(request.rawHeaders),
    mcp: false,
  });
  const client = createClientSide(ids.exchange, response, run.upstream, run.record);
  const body = `mcp-chaos refuses this request: ${why}. Use the address that was printed at the start.\n`;
  const headers = ['Content-Type', 'text/plain', 'Content-Length', String(Buffer.byteLength(body))];
  if (status === 407) headers.push('Proxy-Authenticate', 'Basic realm="mcp-chaos"');
  client.head({ status, headers }, 'client');
  client.writeSilently(Buffer.from(body));
  void client.end('complete', 'client', 'proxy');
}
