/** A session id that changes, or is no longer named, in mid-session. It is assigned with `initialize` only. */

import type { Docket, Unit } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import { callText } from '../words.ts';

export function detectSessionIds(told: Happening, docket: Docket): void {
  if (told.type !== 'head') return;
  const { exchange, head } = told;
  const { session, fact, calls } = exchange;
  if (fact.session === undefined || head.status >= 300 || calls.some((call) => call === session.initialize))
    return;
  const changed = head.session !== undefined && head.session !== fact.session;
  const missing =
    head.session === undefined && exchange.upstreamHead?.session !== undefined && head.decision !== undefined;
  // Where the proxy shows its own head, upstream's is not recorded: the fault that took the header away says so.
  const taken =
    head.session === undefined &&
    docket.boundFault(head.decision)?.provokes.includes('keeps-session-id') === true;
  if (!changed && !missing && !taken) return;
  const [call] = exchange.fact.verb === 'GET' ? (exchange.leg?.stream.calls ?? []) : calls;
  const unit: Unit = call === undefined ? { session, stream: exchange.leg?.stream } : { call };
  const where =
    call === undefined
      ? 'the stand-alone stream'
      : `${exchange.fact.verb === 'GET' ? 'the resumption of ' : ''}${callText(call)}`;
  docket.openBeside(unit, {
    kind: changed ? 'session-id-changed' : 'session-id-missing',
    spot: told,
    exchange: exchange.n,
    decision: head.decision,
    shown: changed
      ? `another session id on the response to ${where}`
      : `no session id on the response to ${where}`,
  });
}
