/** Answers that exist and are not shown, and streams that go quiet while they are open. */

import type { Case } from '../case.ts';
import { openLeg } from '../case.ts';
import type { Docket, Unit } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import { rankOf } from '../occasion.ts';
import { idText, plural } from '../words.ts';

export function detectWithheld(told: Happening, docket: Docket): void {
  if (told.type === 'upstream-answered') {
    const { call } = told;
    // It is on its way at this moment; whether it arrives decides what becomes of the suspicion.
    if (call.answer !== undefined || call.cancelled !== undefined || docket.ofCall(call) !== undefined)
      return;
    // The client had left by itself.
    if ((call.stream?.legs.at(-1)?.exchange ?? call.exchange).end?.by === 'client') return;
    docket.raise(
      { call },
      {
        kind: 'withheld',
        spot: told,
        exchange: call.exchange.n,
        shown: 'nothing more, though upstream had answered the call',
      },
    );
  }
  if (told.type !== 'stalled' || told.end.by === 'client') return;
  const { exchange, end } = told;
  const stream = exchange.leg?.stream;
  const units: readonly Unit[] =
    stream === undefined
      ? exchange.calls.filter((call) => call.answer === undefined).map((call) => ({ call }))
      : stream.born === 'GET'
        ? [{ session: stream.session, stream }]
        : stream.calls.filter((call) => call.answer === undefined).map((call) => ({ call }));
  const last = exchange.leg?.cursor.value ?? '';
  const shown = `its stream stayed open and went silent${last === '' ? '' : ` after id ${idText(last)}`}`;
  for (const unit of units) {
    docket.raise(unit, { kind: 'stalled', spot: told, exchange: exchange.n, decision: end.decision, shown });
  }
}

/**
 * A resumption that stays silent looks like a slow server until the client gives up. So what it was is
 * settled with the reaction: silence where something was due, or an answer that upstream has given.
 */
export function reviseSilence(one: Case, docket: Docket): void {
  if (rankOf(one.occasion.kind) > 1 || one.settled !== undefined) return;
  const leg = one.leg;
  if (leg !== undefined && leg.exchange.end?.by !== 'proxy' && leg.exchange.end?.by !== 'upstream') {
    const { stream, coherent } = leg;
    const due = (coherent?.ids ?? []).filter((id) => !leg.frames.some((frame) => frame.id === id));
    const restarted = stream.session.epoch > stream.epoch;
    const answerDue = coherent?.answers === true && stream.born === 'POST' && one.call?.answer === undefined;
    if (due.length > 0 || restarted || answerDue) {
      const missed = restarted
        ? "though the session behind it is another incarnation's"
        : `though ${plural(Math.max(1, due.length), 'event')} had been missed${answerDue ? ', the answer among them' : ''}`;
      docket.revise(one, {
        kind: 'resumed-silent',
        spot: leg.start,
        exchange: leg.exchange.n,
        decision: leg.exchange.head?.decision,
        shown: `resumed after id ${idText(leg.sentCursor)} and was shown nothing that was due, ${missed}`,
        ...(one.call === undefined ? { detectability: 'none' as const } : {}),
      });
      return;
    }
  }
  const { call } = one;
  if (call?.upstreamAnswer === undefined || call.answer !== undefined || one.occasion.kind === 'withheld')
    return;
  const resumedInVain = leg !== undefined && one.resumed === 'with its cursor';
  if (!resumedInVain && openLeg(one) === undefined) return;
  docket.revise(one, {
    kind: 'withheld',
    spot: one.occasion.spot,
    exchange: one.occasion.exchange,
    decision: one.occasion.decision,
    shown: `${one.occasion.shown}; no resumption brought the answer, which upstream had given`,
  });
}
