/** The same work asked for again in the same session: the same POST, or the same call under another id. */

import { type Case, streamOf } from '../case.ts';
import type { Docket } from '../docket.ts';
import type { Call } from '../ledger/call.ts';
import type { Happening } from '../ledger/happening.ts';
import { afterMs } from '../timing.ts';

export function reactToRepetition(told: Happening, docket: Docket): void {
  if (told.type !== 'calls') return;
  for (const call of told.calls) {
    if (call.earlier === 0) continue;
    for (const one of docket.openIn(call.session)) onAgain(one, call, told, docket);
  }
}

function onAgain(one: Case, call: Call, told: Extract<Happening, { type: 'calls' }>, docket: Docket): void {
  const before = one.call;
  if (before === undefined || before === call || one.reissue !== undefined || !one.visible) return;
  const samePost = before.id === call.id && before.key === call.key;
  if (!samePost && !isReissue(before, call)) return;
  one.reissue = call;
  one.tries.push(told);
  one.flags.add('retried');
  one.evidence.add(told.seq);
  one.exchanges.add(call.exchange.n);
  const resumable = one.occasion.control && streamOf(one) !== undefined && before.answer === undefined;
  if (!resumable || samePost) return;
  docket.settle(one, {
    outcome: 'overreacted',
    confidence: 'inferred',
    act: call,
    did: `asked for the same work again under id ${JSON.stringify(call.id)} ${afterMs(one.occasion.spot, call)}, though its stream could be resumed`,
  });
}

/**
 * Suites ask for the same thing again and again. Only where a session's calls were all different so far
 * is one that is not a second attempt; and even then this is inferred.
 */
export function isReissue(first: Call, next: Call): boolean {
  if (next.key !== first.key || next.session !== first.session || next.earlier !== 1 || first.earlier !== 0)
    return false;
  let different = 0;
  for (const [key, count] of first.session.keys) {
    if (key === first.key || !key.startsWith(`${first.method} `)) continue;
    if (count > 1) return false;
    different += 1;
  }
  return different > 0;
}
