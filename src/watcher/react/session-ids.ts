/** What session id the client uses after it was shown another one, or none. */

import type { Case } from '../case.ts';
import type { Docket } from '../docket.ts';
import type { Exchange } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import { mayShareClient } from '../ledger/session.ts';
import { afterMs, mayHaveCrossed } from '../timing.ts';

export function reactOnSessionIds(told: Happening, docket: Docket): void {
  if (told.type !== 'calls' && told.type !== 'get' && told.type !== 'notified' && told.type !== 'delete')
    return;
  const { exchange } = told;
  if (exchange.calls.some((call) => call === exchange.session.initialize)) return;
  for (const one of docket.open()) {
    const { kind } = one.occasion;
    if (kind !== 'session-id-changed' && kind !== 'session-id-missing') continue;
    if (!mayShareClient(one.session, exchange.session)) continue;
    decide(one, exchange, docket);
  }
}

function decide(one: Case, exchange: Exchange, docket: Docket): void {
  const { session, occasion } = one;
  const used = exchange.fact.session;
  const act = exchange.start;
  const { verb } = exchange.fact;
  const next = `its next ${verb === 'POST' ? 'request' : verb} ${afterMs(occasion.spot, act)}`;
  if (exchange.session === session && used === session.pseudonym) {
    const response = docket.ledger.exchange(occasion.exchange);
    const read = response?.end !== undefined && response.end.seq < act.seq;
    if (!read && mayHaveCrossed(one, occasion.spot, act)) return;
    docket.settle(one, {
      outcome: 'recovered',
      confidence: 'proven',
      act,
      did: `kept the session's id in ${next}`,
    });
  } else if (exchange.session === session && used !== undefined) {
    docket.settle(one, {
      outcome: 'accepted',
      confidence: 'proven',
      act,
      did: `took the other id over in ${next}`,
    });
  } else if (used === undefined && occasion.kind === 'session-id-missing' && isAlone(one, docket)) {
    docket.settle(one, {
      outcome: 'accepted',
      confidence: 'inferred',
      act,
      did: `sent no session id in ${next}`,
    });
  }
}

function isAlone(one: Case, docket: Docket): boolean {
  for (const other of docket.ledger.sessions.all()) {
    if (other !== one.session && other.pseudonym !== null && mayShareClient(other, one.session)) return false;
  }
  return true;
}
