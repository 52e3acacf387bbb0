/** Streams that end before their answer, whoever ended them, as long as it was not the client. */

import type { Docket } from '../docket.ts';
import { isAnswered } from '../ledger/call.ts';
import type { ShownEnd } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Leg } from '../ledger/stream.ts';
import type { OccasionKind } from '../occasion.ts';
import { isMaybeUnread } from '../timing.ts';
import { idText } from '../words.ts';

export function detectBreaks(told: Happening, docket: Docket): void {
  if (told.type !== 'ended' || told.end.by === 'client') return;
  const { exchange, end } = told;
  const { leg } = exchange;
  if (leg === undefined) return;
  const { stream } = leg;
  for (const call of stream.calls) {
    if (call.answer?.exchange !== exchange || end.how !== 'reset') continue;
    const known = docket.ofCall(call);
    if (known !== undefined) known.timed = true;
    if (!isMaybeUnread(call.answer, end)) continue;
    call.maybeAnswer = call.answer;
    call.answer = undefined;
  }
  const waiting = stream.calls.filter((call) => !isAnswered(call) && call.cancelled === undefined);
  const kind = kindOf(leg);
  const sighting = {
    kind,
    spot: told,
    exchange: exchange.n,
    decision: end.decision,
    ...(stream.outOfContract ? { control: false } : {}),
  };
  for (const call of waiting) {
    // The client had left by itself.
    if (docket.ofCall(call)?.closing !== undefined) continue;
    const raised = docket.raise(
      { call },
      { ...sighting, shown: shownOf(leg, kind, end, call.maybeAnswer !== undefined) },
    );
    if (raised !== undefined && call.maybeAnswer !== undefined) raised.timed = true;
  }
  if (stream.born === 'GET' && stream.session.deleted === undefined) {
    docket.raise({ session: stream.session, stream }, { ...sighting, shown: shownOf(leg, kind, end, false) });
  }
}

function kindOf(leg: Leg): OccasionKind {
  const { unfinishedId, cursor, stream } = leg;
  const hasCursor = cursor.value !== '';
  if (unfinishedId !== undefined && unfinishedId !== '' && hasCursor && !stream.shown.has(unfinishedId)) {
    return 'cut-inside-event';
  }
  if (!hasCursor) return stream.shown.size > 0 ? 'cursor-reset' : 'broken-without-id';
  return leg.attempt > 0 && !leg.frames.some((frame) => frame.id !== undefined) ? 'empty-leg' : 'broken';
}

function shownOf(leg: Leg, kind: OccasionKind, end: ShownEnd, maybeAnswered: boolean): string {
  const { how } = end;
  const subscription = leg.stream.born === 'GET';
  const ended = `${subscription ? 'the stand-alone stream' : 'its stream'} ${how === 'complete' ? 'ended' : how === 'reset' ? 'was reset' : 'broke off (FIN)'}`;
  const before = subscription ? '' : ' before the answer';
  if (maybeAnswered) return `${ended} right after the answer had been written, which may not have been read`;
  switch (kind) {
    case 'cut-inside-event':
      return `${ended} inside the event with id ${idText(leg.unfinishedId ?? '')}; the last whole id was ${idText(leg.cursor.value)}`;
    case 'empty-leg':
      return `resumed after id ${idText(leg.sentCursor)}, and ${ended} without a new id`;
    case 'cursor-reset':
      return `an empty id took its cursor away, then ${ended}${before}`;
    case 'broken-without-id':
      return `${ended} before any id${subscription ? '' : ' and before the answer'}`;
    default:
      return `${ended} after id ${idText(leg.cursor.value)}${subscription ? '' : ', before the answer'}`;
  }
}
