/**
 * The same work asked for again in the same session. A POST that is sent again under its own id is plain. The
 * same call under another id may as well be the suite's next one, for suites ask for the same thing again and
 * again; so that waits for the end of the session, which shows whether the client has that habit.
 */

import { judgeExecution } from '../beside/executions.ts';
import { type Case, streamOf } from '../case.ts';
import type { Docket } from '../docket.ts';
import type { Call } from '../ledger/call.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import { afterMs } from '../timing.ts';
import { settleReissued } from './answers.ts';

export function reactToRepetition(told: Happening, docket: Docket): void {
  switch (told.type) {
    case 'calls':
      for (const call of told.calls) if (call.earlier > 0) onAgain(call, docket);
      return;
    case 'delete':
      concludeSession(told.exchange.session, docket);
      return;
    case 'child-exited':
    case 'run-ended':
      for (const session of new Set(docket.open().map((one) => one.session)))
        concludeSession(session, docket);
  }
}

function onAgain(call: Call, docket: Docket): void {
  const before = docket
    .openIn(call.session)
    .findLast(
      (one) => one.call !== undefined && one.call !== call && one.call.key === call.key && one.visible,
    );
  if (before?.call === undefined || before.again !== undefined) return;
  before.again = call;
  if (before.call.id === call.id) take(before, call, docket);
}

/** It is the same work again: for a stream that could be resumed, that is one execution too many. */
function take(one: Case, call: Call, docket: Docket): void {
  one.reissue = call;
  one.tries.push(call);
  one.flags.add('retried');
  one.evidence.add(call.seq);
  one.exchanges.add(call.exchange.n);
  judgeExecution(one, call, docket);
}

function concludeSession(session: Session, docket: Docket): void {
  const repeated = docket
    .openIn(session)
    .filter((one) => one.again !== undefined && one.reissue === undefined);
  if (repeated.length === 0 || hasHabit(session, docket)) return;
  for (const one of repeated) {
    const { again: call, call: before } = one;
    if (call === undefined || before === undefined) continue;
    take(one, call, docket);
    const resumable = one.occasion.control && streamOf(one) !== undefined && before.answer === undefined;
    if (!resumable) settleReissued(one, docket);
    else {
      docket.settle(one, {
        outcome: 'overreacted',
        confidence: 'inferred',
        act: call,
        did: `asked for the same work again under id ${JSON.stringify(call.id)} ${afterMs(one.occasion.spot, call)}, though its stream could be resumed`,
      });
    }
  }
}

/**
 * The session asked for something twice with no occasion between, or never for two different things: then
 * nothing follows from a call that comes again.
 */
function hasHabit(session: Session, docket: Docket): boolean {
  const afterOccasions = new Map<string, number>();
  for (const one of docket.all()) {
    if (one.session !== session || one.again === undefined) continue;
    afterOccasions.set(one.again.key, (afterOccasions.get(one.again.key) ?? 0) + 1);
  }
  let different = 0;
  for (const [key, count] of session.keys) {
    if (!key.startsWith('tools/call ')) continue;
    different += 1;
    if (count > 1 + (afterOccasions.get(key) ?? 0)) return true;
  }
  return different < 2;
}
