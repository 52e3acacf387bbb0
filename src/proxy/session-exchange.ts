/**
 * An exchange of the session family (2025-03-26 to 2025-11-25) under a profile with rules: arm a decision
 * for the call, consult it at every seam, and turn SSE answers into logical streams.
 */
import type { IncomingMessage } from 'node:http';
import type { Effect } from '../faults/effect.ts';
import type { CallView, Subject } from '../faults/fault.ts';
import { argumentsDigest } from '../mcp/digest.ts';
import { toolOf } from '../mcp/family.ts';
import { type Request, readMessages } from '../mcp/message.ts';
import { nextSite, siteOf, standaloneGet } from '../schedule/lane.ts';
import { type Armed, applyDecision, armCall } from './arming.ts';
import type { ShownHead } from './client-side.ts';
import type { Incoming } from './exchange.ts';
import { changeHead } from './head-effects.ts';
import { cursorOf, headerOf, isEventStream, sessionHeader, withHeader } from './headers.ts';
import { learnSession } from './lane-of.ts';
import { type Lane, learnRevision } from './lanes.ts';
import { relayBody } from './relay.ts';
import { noteCollateral, restartUpstream } from './restart-upstream.ts';
import { resume, streamOfCursor } from './resume.ts';
import type { RunContext } from './run-context.ts';
import { answerRefused, refuseSession, restartSession } from './session-effects.ts';
import { openStream, takeOverStandalone, tiesTo } from './stream-life.ts';
import { failUpstream, shownHead } from './upstream-answer.ts';
import { openUpstream } from './upstream-link.ts';

/** One call under way: what the seams share. */
interface Underway {
  readonly run: RunContext;
  readonly incoming: Incoming;
  readonly lane: Lane;
  readonly body: Buffer | undefined;
  readonly requests: readonly Request[];
  readonly view: CallView;
  readonly armed: Armed | undefined;
}

export function runSessionExchange(
  run: RunContext,
  incoming: Incoming,
  lane: Lane,
  body: Buffer | undefined,
): void {
  if (lane.refused !== undefined) {
    answerRefused(run, incoming.client, lane);
    return;
  }
  noteCollateral(run, lane);
  const cursor = incoming.verb === 'GET' ? cursorOf(incoming.headers) : undefined;
  if (cursor !== undefined && cursor !== '') {
    const stream = streamOfCursor(lane, cursor);
    if (stream !== undefined) {
      resume(run, lane, stream, tiesTo(run, incoming, cursor));
      return;
    }
  }
  const requests = requestsIn(body);
  const view = viewOf(run, incoming, lane, requests);
  const armed = cursor === undefined ? armFirst(run, incoming, lane, requests, view) : undefined;
  const underway: Underway = { run, incoming, lane, body, requests, view, armed };
  noteOverlap(underway);
  void proceed(underway).catch((error: unknown) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    run.record({ kind: 'internal-error', exchange: incoming.exchange, where: 'exchange', message });
    void incoming.client.end('fin', 'client', 'proxy');
  });
}

async function proceed(underway: Underway): Promise<void> {
  const { run, incoming, lane } = underway;
  const effects = ask(underway, { seam: 'request', call: underway.view, attempt: 0 });
  if (effects !== undefined && (await actInsteadOfUpstream(underway, effects))) return;
  if (incoming.verb !== 'GET' || cursorOf(incoming.headers) !== undefined) {
    askUpstream(underway);
    return;
  }
  await lane.opening;
  if (takeOverStandalone(run, incoming, lane, underway.view, underway.armed)) return;
  const opening = new Promise<void>((resolve) => askUpstream(underway, resolve));
  lane.opening = opening;
  await opening;
  if (lane.opening === opening) lane.opening = undefined;
}

/** `answered` is called once upstream has answered or failed. */
function askUpstream(underway: Underway, answered: () => void = () => {}): void {
  const { run, incoming, lane, body } = underway;
  const { client, request, verb, path } = incoming;
  let headers = incoming.headers;
  if (lane.upstreamSession !== undefined)
    headers = withHeader(headers, 'Mcp-Session-Id', lane.upstreamSession);
  // A compressed body could not be looked into.
  headers = withHeader(headers, 'Accept-Encoding', null);
  const asked = openUpstream(lane.upstream, { verb, path, headers, ...(body === undefined ? {} : { body }) });
  if (body === undefined) request.pipe(asked);
  let streaming = false;
  client.onAbort(() => {
    if (!streaming) asked.destroy();
  });
  asked.on('close', answered);
  asked.on('error', (error) => {
    if (!streaming) run.watch(failUpstream(incoming, error));
  });
  asked.on('response', (response) => {
    streaming = isEventStream(response.rawHeaders) && response.statusCode === 200;
    void answerWith(underway, response)
      .finally(answered)
      .catch((error: unknown) => {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
        run.record({ kind: 'internal-error', exchange: incoming.exchange, where: 'answer', message });
        void client.end('fin', 'client', 'proxy');
      });
  });
}

async function answerWith(underway: Underway, response: IncomingMessage): Promise<void> {
  const { run, incoming, lane, view, armed } = underway;
  const { client } = incoming;
  response.pause();
  learnSession(run, incoming, response.rawHeaders);
  if (incoming.verb === 'DELETE' && response.statusCode !== undefined && response.statusCode < 300)
    run.lanes.forget(lane);
  const sse = isEventStream(response.rawHeaders) && response.statusCode === 200;
  let head: ShownHead = shownHead(response, underClientSession(lane, response.rawHeaders));
  // A stream has the length of what we show of it: with ids of ours, and without what a fault withholds.
  if (sse) head = { ...head, headers: withHeader(head.headers, 'Content-Length', null) };
  let ending: readonly Effect[] = [];
  const effects = ask(underway, { seam: 'head', call: view, attempt: 0, status: head.status, sse });
  if (effects !== undefined) {
    const instead = effects.find((effect) => effect.do === 'respond');
    if (instead !== undefined) {
      response.destroy();
      return respond(underway, instead);
    }
    head = changeHead(run, lane, head, effects);
    // What changes the head also sends it; what is left may end the response before its body.
    if (effects.some((effect) => effect.do === 'head')) ending = [{ do: 'pass' }];
    ending = [...ending, ...effects.filter((effect) => effect.do !== 'head')];
  }
  const altered = effects !== undefined || lane.upstreamSession !== lane.clientSession;
  if (sse) {
    await openStream(run, incoming, lane, {
      response,
      view,
      armed,
      site: incoming.site,
      awaited: underway.requests.map(({ id }) => id),
      head,
      altered,
      ending,
    });
    return;
  }
  if (ending.some((effect) => effect.do === 'end')) {
    for (const effect of ending) {
      if (effect.do === 'pass') client.head(head, 'client', armed?.decision.id);
      else if (effect.do === 'end')
        run.watch(await client.end(effect.how, 'client', 'proxy', armed?.decision.id));
    }
    response.resume();
    return;
  }
  if (armed !== undefined && effects === undefined && underway.requests.length > 0) {
    run.record({
      kind: 'not-applicable',
      decision: armed.decision.id,
      why: `upstream answered ${head.status} ${headerOf(head.headers, 'content-type') ?? 'without a body'}, not with an event stream`,
    });
  }
  const decision = effects === undefined ? undefined : armed?.decision.id;
  const shown = client.head(head, altered ? 'client' : 'both', decision);
  if (lane.epoch > 1 && head.status >= 400) run.watch(shown);
  await relayBody(response, client, {
    record: true,
    onPiece: (piece) => learnRevision(lane, view.method, piece),
  });
}

/** Executes what a decision wants before upstream is asked; true when the client has its answer. */
async function actInsteadOfUpstream(underway: Underway, effects: readonly Effect[]): Promise<boolean> {
  const { run, incoming, lane, armed } = underway;
  const decision = armed?.decision.id;
  for (const effect of effects) {
    switch (effect.do) {
      case 'wait':
        await new Promise((resolve) => setTimeout(resolve, effect.delayMs));
        break;
      case 'restart-session':
        await restartSession(run, lane, undefined, decision);
        break;
      case 'restart-upstream':
        await restartUpstream(run, lane, undefined, effect, decision);
        break;
      case 'refuse-session':
        refuseSession(lane, effect.status, decision ?? '');
        answerRefused(run, incoming.client, lane);
        return true;
      case 'respond':
        await respond(underway, effect);
        return true;
      case 'end':
        run.watch(await incoming.client.end(effect.how, 'client', 'proxy', decision));
        return true;
      case 'pass':
        return false;
      case 'send':
      case 'head':
      case 'follow':
        throw new Error(`effect "${effect.do}" has no meaning before upstream has answered`);
    }
  }
  return false;
}

async function respond(underway: Underway, effect: Effect & { readonly do: 'respond' }): Promise<void> {
  const { client } = underway.incoming;
  const decision = underway.armed?.decision.id;
  client.head({ status: effect.status, headers: Object.entries(effect.headers).flat() }, 'client', decision);
  if (effect.body !== '') client.write(Buffer.from(effect.body), 'client', decision);
  underway.run.watch(await client.end('complete', 'client', 'proxy', decision));
}

function ask(underway: Underway, subject: Subject): readonly Effect[] | undefined {
  return applyDecision(underway.run, underway.armed, subject, underway.incoming.exchange, undefined);
}

/** A batch has one site a message; the first that is armed decides for the whole exchange. */
function armFirst(
  run: RunContext,
  incoming: Incoming,
  lane: Lane,
  requests: readonly Request[],
  view: CallView,
): Armed | undefined {
  const { arming, record } = run;
  const { exchange } = incoming;
  if (incoming.verb === 'GET') {
    incoming.site = siteOf(lane, lane.scope, standaloneGet, 1);
    if (lane.standaloneArmed) return undefined;
    lane.standaloneArmed = true;
    return armCall(arming, lane, nextSite(lane, lane.scope, standaloneGet), view, exchange, record);
  }
  let first: Armed | undefined;
  for (const request of requests) {
    const tool = toolOf(request) ?? '';
    const call = { method: request.method, tool, digest: argumentsDigest(request.params) };
    const place = nextSite(lane, incoming.scope, call);
    incoming.site ??= place.site;
    first ??= armCall(arming, lane, place, { ...view, method: request.method, tool }, exchange, record);
  }
  return first;
}

function viewOf(run: RunContext, incoming: Incoming, lane: Lane, requests: readonly Request[]): CallView {
  const [request] = requests;
  return {
    channel: incoming.verb === 'GET' ? 'GET' : 'POST',
    method: incoming.verb === 'GET' ? 'GET' : (request?.method ?? ''),
    tool: request === undefined ? undefined : toolOf(request),
    revision: lane.revision,
    contract: run.arming.profile.contract,
    hasSession: lane.clientSession !== undefined,
  };
}

function requestsIn(body: Buffer | undefined): readonly Request[] {
  const messages = body === undefined ? undefined : readMessages(body.toString('utf8'))?.messages;
  return (messages ?? []).filter((message) => message.type === 'request');
}

/** After a restart upstream knows the session by another id; the client never sees it. */
function underClientSession(lane: Lane, raw: readonly string[]): readonly string[] {
  if (lane.clientSession === undefined || headerOf(raw, sessionHeader) === undefined) return raw;
  return withHeader(raw, sessionHeader, lane.clientSession);
}

const atOnce =
  'sessions of this scope were at work at the same time, so which is which depends on timing; give each client a scope of its own ({url}/s/<scope>)';

function noteOverlap(underway: Underway): void {
  const { run, incoming, lane } = underway;
  if (incoming.verb !== 'POST' || underway.requests.length === 0) return;
  lane.inFlight += 1;
  if (run.lanes.overlap(lane)) run.notDeterministic(incoming.scope, atOnce);
  incoming.client.onClose(() => {
    lane.inFlight -= 1;
  });
}
