/**
 * What was altered and is all there: other line ends, pieces, pauses, comments, a stream that ends after
 * its answer. A correct client does not care, and that it does not is a finding too.
 */

import type { Docket, Unit } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import { appliedAt } from '../ledger/run.ts';
import { callText } from '../words.ts';

export function detectAltered(told: Happening, docket: Docket): void {
  if (told.type === 'answered') {
    const { call, answer } = told;
    if (docket.ofCall(call) !== undefined) return;
    raise(
      { call },
      told.seq,
      told.at,
      answer.exchange.n,
      call.stream?.id,
      `an altered stream with the whole answer to ${callText(call)}`,
    );
  }
  if (
    told.type === 'head' &&
    told.exchange.fact.verb === 'GET' &&
    told.head.decision !== undefined &&
    told.head.status >= 400
  ) {
    const { session } = told.exchange;
    if (told.head.status === 404 || told.exchange.fact.cursor !== undefined) return;
    raise(
      { session, stream: undefined },
      told.seq,
      told.at,
      told.exchange.n,
      undefined,
      `${told.head.status} to the stand-alone stream`,
    );
  }

  function raise(
    unit: Unit,
    seq: number,
    at: number,
    exchange: number,
    stream: string | undefined,
    shown: string,
  ): void {
    const applied = appliedAt(docket.ledger.run, exchange, stream);
    if (applied === undefined || applied.prelude) return;
    const fault = docket.boundFault(applied.decision);
    docket.raise(unit, {
      kind: 'altered',
      spot: { seq, at },
      exchange,
      decision: applied.decision,
      shown,
      control: fault?.control ?? false,
      detectability: fault?.detectability.level ?? 'none',
    });
  }
}
