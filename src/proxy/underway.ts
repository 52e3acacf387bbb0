/** One call under way: what it asks for, where it stands in its lane, and the decision that is armed for it. */
import type { Effect } from '../faults/effect.ts';
import type { CallView, Subject } from '../faults/fault.ts';
import { argumentsDigest } from '../mcp/digest.ts';
import { toolOf } from '../mcp/family.ts';
import { type Request, readMessages } from '../mcp/message.ts';
import { nextSite, siteOf, standaloneGet } from '../schedule/lane.ts';
import { type Armed, applyDecision, armCall } from './arming.ts';
import type { Incoming } from './exchange.ts';
import { cursorOf } from './headers.ts';
import type { Lane } from './lanes.ts';
import type { RunContext } from './run-context.ts';

/** What the seams share. */
export interface Underway {
  readonly run: RunContext;
  readonly incoming: Incoming;
  readonly lane: Lane;
  readonly body: Buffer | undefined;
  readonly requests: readonly Request[];
  readonly view: CallView;
  readonly armed: Armed | undefined;
}

/** A resumption is no call of its own: nothing is armed for it. */
export function begin(run: RunContext, incoming: Incoming, lane: Lane, body: Buffer | undefined): Underway {
  const requests = requestsIn(body);
  const view = viewOf(run, incoming, lane, requests);
  const resumes = incoming.verb === 'GET' && cursorOf(incoming.headers) !== undefined;
  const armed = resumes ? undefined : armFirst(run, incoming, lane, requests, view);
  if (requests.length > 0) noteOverlap(run, incoming, lane);
  return { run, incoming, lane, body, requests, view, armed };
}

/** Asks the decision about a subject; `undefined` = it passes. */
export function ask(underway: Underway, subject: Subject): readonly Effect[] | undefined {
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

const atOnce =
  'sessions of this scope were at work at the same time, so which is which depends on timing; give each client a scope of its own ({url}/s/<scope>)';

function noteOverlap(run: RunContext, incoming: Incoming, lane: Lane): void {
  lane.inFlight += 1;
  if (run.lanes.overlap(lane)) run.notDeterministic(incoming.scope, atOnce);
  incoming.client.onClose(() => {
    lane.inFlight -= 1;
  });
}
