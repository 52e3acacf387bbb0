/** Statuses and bodies that cannot bring what was asked for. */

import type { Docket, Unit } from '../docket.ts';
import type { Call } from '../ledger/call.ts';
import type { Exchange, ShownHead } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import { streamOfCursor } from '../ledger/streams.ts';
import type { OccasionKind } from '../occasion.ts';
import { callText, idText } from '../words.ts';

export function detectRefusals(told: Happening, docket: Docket): void {
  if (told.type === 'ended') detectNoAnswer(told, docket);
  if (told.type !== 'head') return;
  const { exchange, head } = told;
  const { verb, session: sent, cursor } = exchange.fact;
  if (isDetour(head)) return;
  if (head.status === 404 && sent !== undefined && verb !== 'DELETE')
    exchange.session.lost ??= { seq: told.seq, at: told.at };
  const kind =
    verb === 'GET'
      ? refusalOfGet(exchange, head)
      : verb === 'POST'
        ? refusalOfPost(exchange, head)
        : undefined;
  if (kind === undefined) return;
  const what =
    verb === 'POST'
      ? 'the call'
      : cursor === undefined
        ? 'the stand-alone stream'
        : `the resumption after id ${idText(cursor)}`;
  for (const unit of unitsOf(exchange)) {
    // Nobody waits any more; that a session is gone is news all the same.
    if (kind !== 'session-lost' && 'call' in unit && unit.call.cancelled !== undefined) continue;
    const name = 'call' in unit && verb === 'POST' ? callText(unit.call) : what;
    docket.raise(unit, {
      kind,
      spot: told,
      exchange: exchange.n,
      decision: head.decision,
      shown: `${head.status}${oddType(head)} to ${name}`,
    });
  }
}

function refusalOfPost(exchange: Exchange, head: ShownHead): OccasionKind | undefined {
  const inSession = exchange.fact.session !== undefined;
  if (exchange.calls.length === 0 || exchange.calls.some((call) => call.method === 'initialize'))
    return undefined;
  if (head.status === 404 && inSession) return 'session-lost';
  if ([400, 401, 403, 410].includes(head.status) && inSession) return 'session-refused';
  const ok = head.status === 200 || head.status === 201;
  return ok && (head.sse || head.json) ? undefined : 'no-answer-possible';
}

function refusalOfGet(exchange: Exchange, head: ShownHead): OccasionKind | undefined {
  if (head.status === 404 && exchange.fact.session !== undefined) return 'session-lost';
  if (exchange.fact.cursor === undefined) return undefined;
  return head.status === 200 && head.sse ? undefined : 'resume-refused';
}

function unitsOf(exchange: Exchange): readonly Unit[] {
  const { session } = exchange;
  if (exchange.fact.verb === 'POST') return exchange.calls.map((call) => ({ call }));
  const { cursor } = exchange.fact;
  const stream = exchange.leg?.stream ?? (cursor === undefined ? undefined : streamOfCursor(session, cursor));
  if (stream === undefined || stream.born === 'GET') return [{ session, stream }];
  return stream.calls.filter(isWaiting).map((call) => ({ call }));
}

/** The response to a POST ended, and some of its requests have no answer and no stream to wait on. */
function detectNoAnswer(told: Extract<Happening, { readonly type: 'ended' }>, docket: Docket): void {
  const { exchange, end } = told;
  if (end.by === 'client' || exchange.leg !== undefined || exchange.fact.verb !== 'POST') return;
  const { head } = exchange;
  if (head !== undefined && isDetour(head)) return;
  for (const call of exchange.calls.filter(isWaiting)) {
    // How clients and servers find out which revision they share.
    if (
      call.method === 'initialize' &&
      head !== undefined &&
      head.status >= 400 &&
      head.decision === undefined
    )
      continue;
    if (docket.ofCall(call)?.visible === true) continue;
    const cut =
      end.how === 'complete'
        ? `a ${head?.status ?? 'response'} that does not answer it`
        : 'a connection that broke before its response was whole';
    docket.raise(
      { call },
      {
        kind: 'no-answer-possible',
        spot: told,
        exchange: exchange.n,
        decision: end.decision,
        shown: `${callText(call)} was given ${cut}`,
      },
    );
  }
}

/** Authentication and redirects go on after these; with a decision they are a refusal. */
function isDetour({ status, decision }: ShownHead): boolean {
  return decision === undefined && (status === 401 || status === 403 || (status >= 300 && status < 400));
}

function isWaiting(call: Call): boolean {
  return call.answer === undefined && call.cancelled === undefined;
}

function oddType(head: ShownHead): string {
  return head.status === 200 && !head.sse && !head.json
    ? ' with a content type that is neither JSON nor an event stream'
    : '';
}
