/**
 * An exchange of the session family (2025-03-26 to 2025-11-25) under a profile with rules: the decision that is
 * armed for the call is consulted at every seam, and SSE answers become logical streams.
 */
import type { IncomingMessage } from 'node:http';
import type { Effect } from '../faults/effect.ts';
import { answerInstead } from './answer-instead.ts';
import type { ShownHead } from './client-side.ts';
import type { Incoming } from './exchange.ts';
import { changeHead } from './head-effects.ts';
import { cursorOf, forUpstream, headerOf, isEventStream, sessionHeader, withHeader } from './headers.ts';
import { learnSession } from './lane-of.ts';
import { type Lane, learnRevision } from './lanes.ts';
import { recordError } from './recorder.ts';
import { relayBody } from './relay.ts';
import { noteCollateral, restartUpstream } from './restart-upstream.ts';
import { resume, streamOfCursor } from './resume.ts';
import type { RunContext } from './run-context.ts';
import { answerRefused, refuseSession, restartSession } from './session-effects.ts';
import { openStream, takeOverStandalone, tiesTo } from './stream-life.ts';
import { ask, begin, type Underway } from './underway.ts';
import { failUpstream, shownHead } from './upstream-answer.ts';
import { openUpstream } from './upstream-link.ts';

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
  const underway = begin(run, incoming, lane, body);
  void proceed(underway).catch((error: unknown) => {
    recordError(run.record, incoming.exchange, 'exchange', error);
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
  const headers = forUpstream(incoming.headers, lane.upstreamSession);
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
        recordError(run.record, incoming.exchange, 'answer', error);
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
      return answerInstead(run, client, instead, armed?.decision.id);
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
        await answerInstead(run, incoming.client, effect, decision);
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

/** After a restart upstream knows the session by another id; the client never sees it. */
function underClientSession(lane: Lane, raw: readonly string[]): readonly string[] {
  if (lane.clientSession === undefined || headerOf(raw, sessionHeader) === undefined) return raw;
  return withHeader(raw, sessionHeader, lane.clientSession);
}
