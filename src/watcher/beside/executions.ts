/** Work that is done twice: a call that upstream has run, sent again in its session; a request of the server's answered twice. */

import type { Docket } from '../docket.ts';
import { type Call, idKey } from '../ledger/call.ts';
import type { Exchange } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import { isReissue } from '../react/again.ts';
import { afterMs } from '../timing.ts';
import { callText } from '../words.ts';

export function createExecutionJudge(): (told: Happening, docket: Docket) => void {
  const replies = new Map<Session, Set<string>>();
  return (told, docket) => {
    if (told.type === 'calls') for (const call of told.calls) judgeCall(call, told, docket);
    if (told.type === 'notified') judgeReplies(told.exchange, docket);
  };

  function judgeReplies(exchange: Exchange, docket: Docket): void {
    const { session } = exchange;
    const seen = replies.get(session) ?? new Set();
    replies.set(session, seen);
    for (const message of exchange.messages) {
      if (message.type !== 'response' || message.id === null) continue;
      // Numbers begin again with each incarnation of the server.
      const key = `${session.epoch} ${idKey(message.id)}`;
      if (!seen.has(key)) {
        seen.add(key);
        continue;
      }
      docket.beside(
        { session, stream: undefined },
        {
          kind: 'executed-again',
          spot: exchange.start,
          exchange: exchange.n,
          shown: `the server's request ${JSON.stringify(message.id)} again`,
        },
        {
          outcome: 'overreacted',
          confidence: 'proven',
          act: exchange.start,
          did: 'answered it a second time',
        },
      );
    }
  }
}

function judgeCall(call: Call, told: Extract<Happening, { type: 'calls' }>, docket: Docket): void {
  if (call.earlier === 0) return;
  const first = docket
    .all()
    .find((one) => one.reissue === call && one.session === call.session && one.call !== undefined);
  const before = first?.call;
  if (first === undefined || before === undefined || first.settled?.outcome === 'overreacted') return;
  if (before.id !== call.id && !isReissue(before, call)) return;
  const ran = before.upstreamAnswer !== undefined || before.stream !== undefined;
  const at = afterMs(first.occasion.spot, told);
  const one = docket.beside(
    { call: before },
    {
      kind: 'executed-again',
      spot: first.occasion.spot,
      exchange: first.occasion.exchange,
      decision: first.occasion.decision,
      shown: first.occasion.shown,
    },
    {
      outcome: ran ? 'overreacted' : 'recovered',
      confidence: 'inferred',
      act: told,
      did: `sent ${callText(call)} again in the same session ${at}, ${ran ? 'though the server had begun to run it' : 'which the server had never seen'}`,
    },
  );
  one.reissue = call;
  one.flags.add('retried');
}
