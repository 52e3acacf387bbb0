/** What upstream's answer, or its absence, is to the client. */
import type { IncomingMessage } from 'node:http';
import type { Incoming } from './exchange.ts';
import { endToEnd, type RawHeaders } from './headers.ts';

/**
 * Upstream could not be reached or broke off before its head. Whoever knows our address gets a 502, which the
 * journal attributes to upstream; whoever believes that it talks to the server itself loses its connection.
 * Returns the head's number, 0 where there is none.
 */
export function failUpstream({ client, by }: Pick<Incoming, 'client' | 'by'>, error: Error): number {
  // The client left first, and upstream was given up for it.
  if (!client.open) return 0;
  if (client.headSent || by !== 'own') {
    void client.end(client.headSent ? 'fin' : 'reset', 'both', 'upstream');
    return 0;
  }
  const body = `mcp-chaos: upstream did not answer: ${error.message}\n`;
  const seq = client.head(
    {
      status: 502,
      headers: ['Content-Type', 'text/plain', 'Content-Length', String(Buffer.byteLength(body))],
    },
    'both',
  );
  client.writeSilently(Buffer.from(body));
  void client.end('complete', 'both', 'upstream');
  return seq;
}

export function shownHead(
  response: IncomingMessage,
  raw: RawHeaders,
): { status: number; message: string; headers: string[] } {
  return {
    status: response.statusCode ?? 502,
    message: response.statusMessage ?? '',
    headers: endToEnd(raw),
  };
}
