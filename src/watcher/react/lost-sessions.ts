/** A session that is over: is it used again all the same? */

import type { Docket } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import { afterMs, mayHaveCrossed } from '../timing.ts';
import { callText } from '../words.ts';

export function reactOnLostSessions(told: Happening, docket: Docket): void {
  if (told.type === 'calls') {
    for (const one of docket.openIn(told.exchange.session)) {
      if (one.occasion.kind !== 'session-lost' || one.call === undefined || one.session.concurrent) continue;
      // A client that has one call at a time has settled this one before it begins the next.
      if (one.call.exchange.end !== undefined && one.leg === undefined) one.settledInSequence = true;
    }
    return;
  }
  if (told.type !== 'head') return;
  const { exchange, head } = told;
  const { lost } = exchange.session;
  if (lost === undefined || exchange.start.seq < lost.seq || exchange.fact.session === undefined) return;
  if (head.status !== 404) {
    if (head.status >= 300 || exchange.fact.verb === 'DELETE') return;
    for (const one of docket.openIn(exchange.session)) {
      if (one.occasion.kind === 'session-lost')
        one.moot = 'the session was not over: it answered later requests';
    }
    return;
  }
  const [call] = exchange.calls;
  if (call === undefined) return;
  for (const one of docket.openIn(exchange.session)) {
    if (one.occasion.kind !== 'session-lost' || one.occasion.spot.seq > exchange.start.seq) continue;
    if (one.call !== undefined && one.call.id === call.id) continue;
    if (mayHaveCrossed(one, one.occasion.spot, exchange.start)) continue;
    one.reused = true;
    one.evidence.add(told.seq);
    docket.settle(one, {
      outcome: one.settledInSequence ? 'surfaced' : 'accepted',
      confidence: one.settledInSequence ? 'inferred' : 'proven',
      act: exchange.start,
      did: `sent ${callText(call)} under the dead session's id ${afterMs(one.occasion.spot, exchange.start)}, and began no new session`,
    });
  }
}
