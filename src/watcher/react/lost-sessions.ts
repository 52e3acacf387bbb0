/** A session that is over: is it used again all the same? */

import type { Docket } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
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
    if (!isOneAtATime(exchange.session) && mayHaveCrossed(one, one.occasion.spot, exchange.start)) continue;
    one.reused = true;
    one.evidence.add(told.seq);
    const wasTold = one.settledInSequence || one.rejectedBy !== undefined;
    docket.settle(one, {
      outcome: wasTold ? 'surfaced' : 'accepted',
      confidence: wasTold ? 'inferred' : 'proven',
      act: exchange.start,
      did: `sent ${callText(call)} under the dead session's id ${afterMs(one.occasion.spot, exchange.start)}, and began no new session`,
    });
  }
}

/**
 * A client that has had calls answered and never two open at a time: what it sends after a refusal cannot
 * have crossed it on the wire.
 */
function isOneAtATime(session: Session): boolean {
  if (session.concurrent) return false;
  for (const call of session.calls.values()) {
    if (call.method !== 'initialize' && call.exchange.head?.status === 200) return true;
  }
  return false;
}
