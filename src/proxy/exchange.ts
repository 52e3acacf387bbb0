/**
 * One HTTP exchange: who it belongs to, whether it is MCP, and which of three ways it goes: untouched,
 * recorded, or under the eye of the armed decisions.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { toWire } from '../history/wire-bytes.ts';
import { classifyRequest } from '../mcp/family.ts';
import type { CallSite } from '../schedule/site.ts';
import { type Address, addressOf } from './address.ts';
import { type ClientSide, createClientSide } from './client-side.ts';
import { cursorOf, headerOf, isJson, journalHeaders, pseudonym, sessionHeader } from './headers.ts';
import { laneOf, learnSession } from './lane-of.ts';
import type { Lane } from './lanes.ts';
import { isResourceMetadata, renameChallenge } from './oauth.ts';
import { readBody } from './read-body.ts';
import { refuse } from './refuse.ts';
import { relayBody } from './relay.ts';
import { relayMetadata } from './relay-metadata.ts';
import type { RunContext } from './run-context.ts';
import { runSessionExchange } from './session-exchange.ts';
import { failUpstream, shownHead } from './upstream-answer.ts';
import { openUpstream } from './upstream-link.ts';

export interface Incoming extends Address {
  readonly exchange: number;
  readonly connection: number;
  readonly request: IncomingMessage;
  readonly client: ClientSide;
  readonly verb: string;
  /** Known once the request has been read far enough. */
  lane: Lane | undefined;
  /** The logical address of its call, the first of a batch; known with the lane. */
  site: CallSite | undefined;
}

export function handleExchange(
  run: RunContext,
  bound: string,
  ids: { readonly exchange: number; readonly connection: number },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const address = addressOf(run, bound, request);
  if ('why' in address) {
    refuse(run, ids, request, response, address);
    return;
  }
  if ('elsewhere' in address) {
    run.untouched.relay(request, response, address.elsewhere, address.because);
    return;
  }
  const client = createClientSide(ids.exchange, response, address.upstream, run.record);
  const verb = request.method ?? 'GET';
  const incoming: Incoming = { ...ids, ...address, request, client, verb, lane: undefined, site: undefined };

  // Behind our address is one endpoint, and its server's other pages; a server by itself has any path.
  const atEndpoint = address.by !== 'own' || address.path.split('?')[0] === address.upstream.url.pathname;
  const headers = flatHeaders(request);
  if (!atEndpoint || (verb !== 'POST' && classifyRequest(verb, headers, undefined) === 'none')) {
    recordRequest(run, incoming, false);
    passThrough(run, incoming, undefined, false);
  } else if (!run.active) {
    relayRecorded(run, incoming);
  } else if (verb === 'POST') {
    void readBody(request).then((body) => {
      if (body !== undefined) dispatch(run, incoming, headers, body);
    });
  } else {
    dispatch(run, incoming, headers, undefined);
  }
}

/** With rules a request is read whole before upstream sees it, for a fault may answer in its place. */
function dispatch(
  run: RunContext,
  incoming: Incoming,
  headers: Record<string, string | undefined>,
  body: Buffer | undefined,
): void {
  const family = classifyRequest(incoming.verb, headers, body?.toString('utf8'));
  if (family !== 'none') incoming.lane = laneOf(run, incoming, body);
  const { lane } = incoming;
  recordRequest(run, incoming, family !== 'none');
  if (body !== undefined && family !== 'none') {
    run.record({ kind: 'request-body', exchange: incoming.exchange, body: toWire(body) });
  }
  // The stateless family (2026-07-28) has no session, no GET and no event ids: outside of these profiles.
  if (family !== 'session' || lane === undefined) passThrough(run, incoming, body, family !== 'none');
  else runSessionExchange(run, incoming, lane, body);
}

/** Identity, recorded: the request's body streams through while a copy is kept for the journal. */
function relayRecorded(run: RunContext, incoming: Incoming): void {
  const { request, verb } = incoming;
  if (verb !== 'POST') {
    incoming.lane = laneOf(run, incoming, undefined);
    recordRequest(run, incoming, true);
    passThrough(run, incoming, undefined, true);
    return;
  }
  const pieces: Buffer[] = [];
  let recorded = false;
  const describe = (): void => {
    if (recorded) return;
    recorded = true;
    const body = Buffer.concat(pieces);
    const mcp = classifyRequest(verb, flatHeaders(request), body.toString('utf8')) !== 'none';
    if (mcp) incoming.lane = laneOf(run, incoming, body);
    recordRequest(run, incoming, mcp);
    if (mcp) run.record({ kind: 'request-body', exchange: incoming.exchange, body: toWire(body) });
  };
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', describe);
  passThrough(run, incoming, undefined, true, describe);
}

/** Asks upstream and relays its answer as it comes. */
function passThrough(
  run: RunContext,
  incoming: Incoming,
  body: Buffer | undefined,
  record: boolean,
  beforeHead?: () => void,
): void {
  const { client, request } = incoming;
  const asked = openUpstream(incoming.upstream, {
    verb: incoming.verb,
    path: incoming.path,
    headers: incoming.headers,
    ...(body === undefined ? {} : { body }),
  });
  if (body === undefined) request.pipe(asked);
  client.onAbort(() => asked.destroy());
  asked.on('error', (error) => {
    beforeHead?.();
    failUpstream(incoming, error);
  });
  asked.on('response', (response) => {
    beforeHead?.();
    const renamed =
      incoming.by === 'own'
        ? renameChallenge(response.rawHeaders, incoming.upstream.url.origin, run.origin())
        : undefined;
    if (renamed !== undefined)
      run.record({ kind: 'rewritten', exchange: incoming.exchange, what: 'WWW-Authenticate' });
    const head = shownHead(response, renamed ?? response.rawHeaders);
    if (
      incoming.by === 'own' &&
      isResourceMetadata(incoming.verb, incoming.path) &&
      isJson(response.rawHeaders)
    ) {
      void relayMetadata(run, incoming, response, head.headers);
      return;
    }
    learnSession(run, incoming, response.rawHeaders);
    client.head(head, renamed === undefined ? 'both' : 'client');
    void relayBody(response, client, { record });
  });
}

function recordRequest(run: RunContext, incoming: Incoming, mcp: boolean): void {
  const session = headerOf(incoming.headers, sessionHeader);
  const cursor = cursorOf(incoming.headers);
  const protocolVersion = headerOf(incoming.headers, 'mcp-protocol-version');
  run.record({
    kind: 'request',
    exchange: incoming.exchange,
    connection: incoming.connection,
    upstream: incoming.upstream.name,
    scope: incoming.scope,
    lane: incoming.lane?.name ?? '',
    verb: incoming.verb,
    path: incoming.path.split('?')[0]!,
    headers: journalHeaders(incoming.headers),
    ...(session === undefined ? {} : { session: pseudonym(session, incoming.upstream) }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    mcp,
  });
}

function flatHeaders(request: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
