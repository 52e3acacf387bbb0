/** Relays an OAuth protected-resource document of what stands behind our address, which then names us. */
import type { IncomingMessage } from 'node:http';
import type { Incoming } from './exchange.ts';
import { type RawHeaders, withHeader } from './headers.ts';
import { maxMetadataBytes, renameResource } from './oauth.ts';
import { readBody } from './read-body.ts';
import type { RunContext } from './run-context.ts';
import { shownHead } from './upstream-answer.ts';

export async function relayMetadata(
  run: RunContext,
  incoming: Incoming,
  response: IncomingMessage,
  headers: RawHeaders,
): Promise<void> {
  const { client } = incoming;
  const body = await readBody(response);
  if (body === undefined) {
    client.head(shownHead(response, headers), 'both');
    await client.end('fin', 'both', 'upstream');
    return;
  }
  const renamed =
    body.byteLength > maxMetadataBytes
      ? undefined
      : renameResource(body.toString('utf8'), incoming.upstream.url.origin, run.origin());
  if (renamed === undefined) client.head(shownHead(response, headers), 'both');
  else {
    run.record({ kind: 'rewritten', exchange: incoming.exchange, what: 'OAuth protected-resource metadata' });
    client.head(
      shownHead(response, withHeader(headers, 'Content-Length', String(Buffer.byteLength(renamed)))),
      'client',
    );
  }
  client.writeSilently(renamed === undefined ? body : Buffer.from(renamed));
  await client.end('complete', 'both', 'upstream');
}
