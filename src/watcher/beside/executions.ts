/** Work that is done twice: a call that upstream has run, sent again in its session; a request of the server's answered twice. */

import type { Case } from '../case.ts';
import type { Docket } from '../docket.ts';
import { type Call, idKey } from '../ledger/call.ts';
import type { Exchange } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import { afterMs } from '../timing.ts';
import { callText } from '../words.ts';

export function createReplyJudge(): (told: Happening, docket: Docket) => void {
  const replies = new Map<Session, Set<string>>();
  return (told, docket) => {
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

/** The call of a case, sent again in its session. */
export function judgeExecution(one: Case, call: Call, docket: Docket): void {
  const before = one.call;
  // A stream that could be resumed: then the second attempt itself is what the case is about.
  if (before === undefined || (one.occasion.control && before.id !== call.id)) return;
  const ran = before.upstreamAnswer !== undefined || before.stream !== undefined;
  const { spot, exchange, decision, shown } = one.occasion;
  const execution = docket.beside(
    { call: before },
    { kind: 'executed-again', spot, exchange, decision, shown },
    {
      outcome: ran ? 'overreacted' : 'recovered',
      confidence: 'inferred',
      act: call,
      did: `sent ${callText(call)} again in the same session ${afterMs(spot, call)}, ${ran ? 'though the server had begun to run it' : 'which the server had never seen'}`,
    },
  );
  execution.reissue = call;
  execution.flags.add('retried');
}
