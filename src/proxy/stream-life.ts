/**
 * The life of logical streams: born from an SSE answer, left by their client, taken over by a later GET,
 * connected to upstream again.
 */
import type { IncomingMessage } from 'node:http';
import type { Effect } from '../faults/effect.ts';
import type { CallView } from '../faults/fault.ts';
import { siteOf } from '../schedule/lane.ts';
import type { CallSite } from '../schedule/site.ts';
import { type Armed, applyDecision } from './arming.ts';
import type { ClientSide, ShownHead } from './client-side.ts';
import type { Incoming } from './exchange.ts';
import { changeHead } from './head-effects.ts';
import { endToEnd, forUpstream, isEventStream, withHeader } from './headers.ts';
import type { Lane } from './lanes.ts';
import { feed, sourceEnded } from './pump.ts';
import type { ResumeRequest } from './resume.ts';
import type { RunContext } from './run-context.ts';
import {
  closeSource,
  createSource,
  createStream,
  heldByProxy,
  type LogicalStream,
  standaloneOrdinal,
} from './stream.ts';
import { openUpstream } from './upstream-link.ts';

export interface StreamAnswer {
  readonly response: IncomingMessage;
  readonly view: CallView;
  readonly site: CallSite | undefined;
  readonly armed: Armed | undefined;
  readonly awaited: readonly (string | number)[];
  readonly head: ShownHead;
  /** The head is not upstream's own. */
  readonly altered: boolean;
  /** Effects of the head seam that end the client's side before any frame. */
  readonly ending: readonly Effect[];
}

/** An SSE answer becomes a logical stream. */
export async function openStream(
  run: RunContext,
  incoming: Incoming,
  lane: Lane,
  answer: StreamAnswer,
): Promise<void> {
  const { client, exchange } = incoming;
  const stream = newStream(run, lane, incoming.verb === 'GET' ? 'GET' : 'POST', answer);
  run.record({ kind: 'stream-opened', stream: stream.id, exchange, born: stream.born });
  const decision = answer.armed?.decision.id;
  stream.sink = client;
  watchAbort(run, stream, client);
  for (const effect of answer.ending) {
    if (effect.do === 'wait') await new Promise((resolve) => setTimeout(resolve, effect.delayMs));
    if (effect.do === 'pass' && !client.headSent)
      client.head(answer.head, answer.altered ? 'client' : 'both', decision);
    if (effect.do !== 'end') continue;
    stream.sink = undefined;
    stream.droppedByUs = true;
    run.watch(await client.end(effect.how, 'client', 'proxy', decision));
    if (effect.side === 'both') return void answer.response.destroy();
  }
  if (stream.sink !== undefined && !client.headSent)
    client.head(answer.head, answer.altered ? 'client' : 'both', answer.altered ? decision : undefined);
  connectSource(run, stream, exchange, answer.response);
}

/** A new stand-alone GET for a session whose upstream GET the proxy still holds: no second one, which upstream would refuse. */
export function takeOverStandalone(
  run: RunContext,
  incoming: Incoming,
  lane: Lane,
  view: CallView,
  armed: Armed | undefined,
  borrowed = false,
): boolean {
  const old = lane.standalone;
  const source = old?.source;
  if (old === undefined || source === undefined) return false;
  if (old.sink !== undefined && !old.borrowed) return false;
  clearTimeout(old.graceTimer);
  const of = { view, site: incoming.site ?? old.site, armed, awaited: [], head: old.head };
  const stream = newStream(run, lane, 'GET', of, borrowed);
  old.source = undefined;
  old.sink = undefined;
  source.owner = stream;
  stream.source = source;
  run.record({ kind: 'stream-opened', stream: stream.id, exchange: incoming.exchange, born: 'GET' });
  stream.sink = incoming.client;
  watchAbort(run, stream, incoming.client);
  if (!incoming.client.headSent) showHeldHead(run, incoming, stream);
  return true;
}

/** Upstream answered long ago; to this client it is an answer like any other, and may be its last word. */
function showHeldHead(run: RunContext, incoming: Incoming, stream: LogicalStream): void {
  const { client, exchange } = incoming;
  const { head, call, lane, armed } = stream;
  const subject = { seam: 'head', call, attempt: 0, status: head.status, sse: true } as const;
  const effects = applyDecision(run, armed, subject, exchange, stream.id);
  const decision = effects === undefined ? undefined : armed?.decision.id;
  const end = effects?.find((effect) => effect.do === 'end');
  if (end === undefined || effects?.some(({ do: what }) => what === 'pass' || what === 'head') === true)
    client.head(changeHead(run, lane, head, effects ?? []), 'client', decision);
  if (end === undefined) return;
  stream.sink = undefined;
  stream.droppedByUs = true;
  void client.end(end.how, 'client', 'proxy', decision).then((since) => run.watch(since));
}

/** What a resumption needs from the exchange it came in. */
export function tiesTo(run: RunContext, incoming: Incoming, cursor: string): ResumeRequest {
  const { client, exchange, path } = incoming;
  return {
    exchange,
    cursor,
    client,
    async joinIncarnation(after) {
      const { lane } = after;
      await lane.opening;
      const { standalone } = lane;
      // The client has a stream of the new incarnation already; this one stays open and silent.
      if (standalone?.source !== undefined && standalone.sink !== undefined) return;
      const view: CallView = { ...after.call, channel: 'GET', method: 'GET', tool: undefined };
      if (takeOverStandalone(run, incoming, lane, view, undefined, true)) return;
      const of = { view, site: undefined, armed: undefined, awaited: [], head: after.head };
      const stream = newStream(run, lane, 'GET', of, true);
      run.record({ kind: 'stream-opened', stream: stream.id, exchange, born: 'GET' });
      stream.sink = client;
      lane.opening = this.connect(stream, undefined);
      await lane.opening;
    },
    connect(stream, lastEventId) {
      watchAbort(run, stream, client);
      const { upstream, upstreamSession } = stream.lane;
      const after = withHeader(incoming.headers, 'Last-Event-ID', lastEventId ?? null);
      const headers = endToEnd(forUpstream(after, upstreamSession));
      return new Promise((resolve) => {
        const asked = openUpstream(upstream, { verb: 'GET', path, headers });
        asked.end();
        asked.on('error', () => resolve(false));
        asked.on('response', (response) => {
          const good = response.statusCode === 200 && isEventStream(response.rawHeaders);
          if (good) connectSource(run, stream, exchange, response);
          else response.destroy();
          resolve(good);
        });
      });
    },
  };
}

/**
 * The longest that upstream is kept waiting for a client that left. Clients come back after a second, if they do;
 * and a suite's server that is told to close waits for what we hold open of it, for as long as its test has patience.
 */
const longestGraceMs = 3000;

/** The client left by itself. A stream that only the proxy can resume is kept for a while, any other is given up. */
export function watchAbort(run: RunContext, stream: LogicalStream, client: ClientSide): void {
  client.onAbort(() => {
    if (stream.sink === client) stream.sink = undefined;
    const { source } = stream;
    if (source === undefined || stream.sink !== undefined) return;
    if (!heldByProxy(stream)) return closeSource(run.record, stream, 'client');
    clearTimeout(stream.graceTimer);
    stream.graceTimer = setTimeout(
      () => {
        if (stream.sink === undefined && stream.source === source) closeSource(run.record, stream, 'client');
      },
      Math.min(run.deadlineMs, longestGraceMs),
    );
    stream.graceTimer.unref();
  });
}

function connectSource(
  run: RunContext,
  stream: LogicalStream,
  exchange: number,
  response: IncomingMessage,
): void {
  const source = createSource(stream, exchange, response);
  stream.source = source;
  let ended = false;
  const end = (complete: boolean): void => {
    if (ended) return;
    ended = true;
    if (source.owner.source === source) sourceEnded(run, source, complete);
  };
  response.on('data', (chunk: Uint8Array) => feed(run, source, chunk));
  response.on('end', () => end(true));
  response.on('error', () => {});
  response.on('close', () => end(response.complete));
  response.resume();
}

function newStream(
  run: RunContext,
  lane: Lane,
  born: 'POST' | 'GET',
  of: Pick<StreamAnswer, 'view' | 'site' | 'armed' | 'awaited' | 'head'>,
  borrowed = false,
): LogicalStream {
  const { profile } = run.arming;
  if (born === 'POST') lane.streamCount += 1;
  const stream = createStream({
    id: `stream-${run.nextStream()}`,
    lane,
    born,
    ordinal: born === 'GET' ? standaloneOrdinal : standaloneOrdinal + lane.streamCount,
    call: of.view,
    site: of.site ?? siteOf(lane, lane.scope, { method: of.view.method, tool: '', digest: '' }, 1),
    armed: of.armed,
    awaited: of.awaited,
    head: { status: of.head.status, headers: of.head.headers },
    ids: { contract: profile.contract, first: profile.ids.first, stride: profile.ids.stride },
    borrowed,
    ...(born === 'GET' && lane.standalone?.epoch === lane.epoch ? { seq: lane.standalone.seq } : {}),
  });
  lane.streams.set(stream.id, stream);
  if (born === 'GET') lane.standalone = stream;
  return stream;
}
