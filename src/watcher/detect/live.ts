/**
 * Streams that are open, and lose something or show an id that is wrong: what may be known of it, under which
 * contract. Nothing is owed for it. The specification makes ids unique cursors and orders none (2025-03-26 to
 * 2025-11-25, basic/transports, Resumability and Redelivery), and both seeds look at them after a reconnect.
 */
import { classifyStep, type Step } from '../../cursor/ids.ts';
import { describeEffects } from '../../faults/effect.ts';
import type { Docket } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import { type OccasionKind, rankOf } from '../occasion.ts';
import { idText } from '../words.ts';
import { idBefore, waitingOn } from './frame-place.ts';

export function detectLive(told: Happening, docket: Docket): void {
  if (told.type === 'applied') onLeftOut(told, docket);
  if (told.type === 'frame' && told.live) onFrame(told, docket);
}

/** A frame of upstream's was not shown, nor anything in its place. That shows with a later one, or never. */
function onLeftOut({ applied, ...spot }: Extract<Happening, { type: 'applied' }>, docket: Docket): void {
  if (applied.seam !== 'frame' || applied.prelude || applied.effects !== describeEffects([])) return;
  const leg = docket.ledger.exchange(applied.exchange)?.leg;
  if (leg === undefined) return;
  for (const unit of waitingOn(leg.stream, spot.seq)) {
    // What is open says more.
    if (docket.openOf(unit) !== undefined) continue;
    docket.raise(unit, {
      kind: 'left-out',
      spot,
      exchange: applied.exchange,
      decision: applied.decision,
      shown: 'one event less than upstream had sent, and nothing that says so',
    });
  }
}

function onFrame(told: Extract<Happening, { type: 'frame' }>, docket: Docket): void {
  const { leg, frame } = told;
  if (leg.stream.outOfContract || frame.id === undefined || frame.id === '') return;
  const last = idBefore(leg, frame);
  const kind = isReused(told)
    ? 'id-reused'
    : last === ''
      ? undefined
      : kindOf(classifyStep(docket.contract, last, frame.id));
  if (kind === undefined) return;
  leg.stream.outOfContract = true;
  for (const unit of waitingOn(leg.stream, frame.seq)) {
    const known = docket.openOf(unit)?.occasion.kind;
    // Whoever has resumed the stream is judged by that.
    if (known !== undefined && rankOf(known) > 0 && known !== 'left-out') continue;
    docket.raise(unit, {
      kind,
      spot: told,
      exchange: leg.exchange.n,
      decision: frame.decision,
      shown: shownOf(told, kind, last),
    });
  }
}

/** Only what was altered on its way: of an upstream that numbers each stream from 1 every event would be one. */
function isReused({ frame, namesake }: Extract<Happening, { type: 'frame' }>): boolean {
  return namesake !== undefined && frame.decision !== undefined;
}

function shownOf(
  { leg, frame, namesake }: Extract<Happening, { type: 'frame' }>,
  kind: OccasionKind,
  last: string,
): string {
  const id = `id ${idText(frame.id ?? '')}`;
  if (kind === 'id-reused') {
    return `${id}, which stands for another event of ${namesake === leg.stream ? 'its stream' : 'its session, on another stream'} already`;
  }
  const after = `${id} right after id ${idText(last)}, on a stream that had not broken`;
  return kind === 'live-gap' ? `${after}; what lies between was not shown` : after;
}

function kindOf(step: Step): OccasionKind | undefined {
  if (step === 'successor' || step === 'incomparable') return undefined;
  return step === 'gap' ? 'live-gap' : 'ids-out-of-contract';
}
