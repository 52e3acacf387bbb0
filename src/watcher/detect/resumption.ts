/**
 * The first frames after a reconnect, and those that follow, against the cursor that the client sent: the
 * seed's rule under the run's contract, and what the proxy knows of the stream where ids say nothing.
 */
import { classifyStep, isAmongNext } from '../../cursor/ids.ts';
import type { Docket } from '../docket.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Leg, ShownFrame, Stream } from '../ledger/stream.ts';
import type { OccasionKind } from '../occasion.ts';
import { idText } from '../words.ts';
import { idBefore, waitingOn } from './frame-place.ts';

export function detectResumption(told: Happening, docket: Docket): void {
  if (told.type !== 'frame' || told.live) return;
  const { leg, frame } = told;
  const units = waitingOn(leg.stream, frame.seq);
  if (units.length === 0) return;
  const last = idBefore(leg, frame);
  const kind = judgeFrame(leg, frame, last, docket);
  if (kind === undefined) return;
  const sighting = {
    kind,
    spot: told,
    exchange: leg.exchange.n,
    decision: frame.decision,
    shown: shownOf(leg, frame, kind, last),
    // Where ids cannot be compared only time or content can show it.
    ...(docket.contract === 'opaque' && kind !== 'resumed-seamless'
      ? { detectability: 'inferable' as const }
      : {}),
  };
  for (const unit of units) docket.raise(unit, sighting);
}

function judgeFrame(leg: Leg, frame: ShownFrame, last: string, docket: Docket): OccasionKind | undefined {
  const { id } = frame;
  if (id === undefined || id === '') return isForeignContent(leg, frame) ? 'resumed-seamless' : undefined;
  const first = leg.frames.find((other) => other.id !== undefined) === frame;
  switch (classifyStep(docket.contract, last, id)) {
    case 'successor':
      return isForeignContent(leg, frame) ? 'resumed-seamless' : undefined;
    case 'repeat':
      return hadOtherContent(leg, frame, id) ? 'resumed-other-content' : 'resumed-again';
    case 'regression':
      if (hadBefore(leg, frame, id)) return 'resumed-again';
      return isOfAnotherStream(leg.stream, frame)
        ? 'resumed-foreign'
        : first
          ? 'resumed-lower'
          : 'resumed-out-of-order';
    case 'gap':
      if (isOfAnotherStream(leg.stream, frame)) return 'resumed-foreign';
      return first && !isDue(leg, frame, id, docket) ? 'resumed-fresh' : 'resumed-gap';
    case 'other-epoch':
      return 'resumed-other-epoch';
    case 'incomparable':
      return judgeByTruth(leg, frame, id, first);
  }
}

/** Ids say nothing: what is known of the stream does. */
function judgeByTruth(leg: Leg, frame: ShownFrame, id: string, first: boolean): OccasionKind | undefined {
  if (hadBefore(leg, frame, id)) return 'resumed-again';
  if (hadOtherContent(leg, frame, id)) return 'resumed-other-content';
  if (isOfAnotherStream(leg.stream, frame)) return 'resumed-foreign';
  if (isForeignContent(leg, frame)) return 'resumed-seamless';
  const due = leg.coherent?.ids;
  return first && due !== undefined && due.length > 0 && due[0] !== id && due.includes(id)
    ? 'resumed-gap'
    : undefined;
}

/** The same id with the same content, on an earlier leg. */
function hadBefore(leg: Leg, frame: ShownFrame, id: string): boolean {
  return earlierFrames(leg).some((other) => other.id === id && other.content === frame.content);
}

function hadOtherContent(leg: Leg, frame: ShownFrame, id: string): boolean {
  const before = earlierFrames(leg).filter((other) => other.id === id);
  return before.length > 0 && before.every((other) => other.content !== frame.content);
}

function earlierFrames(leg: Leg): readonly ShownFrame[] {
  return leg.stream.legs.flatMap((other) => (other === leg ? [] : other.frames));
}

function isOfAnotherStream(stream: Stream, frame: ShownFrame): boolean {
  if (frame.content === undefined || stream.sent.has(frame.content)) return false;
  for (const other of stream.session.streams) {
    if (other === stream || (other.born === 'GET' && stream.born === 'GET')) continue;
    if (other.sent.has(frame.content)) return true;
  }
  return false;
}

/** Content that upstream never sent on this stream, or sent from another incarnation. */
function isForeignContent(leg: Leg, frame: ShownFrame): boolean {
  const { stream } = leg;
  if (frame.content === undefined) return false;
  if (stream.session.epoch > stream.epoch) return true;
  // A proxy that has not recorded upstream's side of the stream (it began before the run) knows nothing.
  return stream.sent.size > 0 && !stream.sent.has(frame.content) && stream.born === 'POST';
}

/**
 * The jump stays in the stream's own numbering: it lands on an event of its own, or right behind the last
 * one. Else a new numbering has begun, and nothing of the old one was replayed. Upstream may have gone on
 * since the client resumed, and each of its events has taken a number.
 */
function isDue(leg: Leg, frame: ShownFrame, id: string, docket: Docket): boolean {
  if (leg.coherent === undefined) return true;
  const { ids } = leg.coherent;
  if (ids.includes(id)) return true;
  const since = leg.stream.numbered - leg.numberedBefore;
  if (isAmongNext(docket.contract, ids.at(-1) ?? leg.sentCursor, id, since + 1)) return true;
  return frame.content !== undefined && leg.stream.sent.has(frame.content);
}

function shownOf(leg: Leg, frame: ShownFrame, kind: OccasionKind, last: string): string {
  const after = `resumed after id ${idText(leg.sentCursor)} and was shown`;
  const id = frame.id === undefined || frame.id === '' ? 'an event without an id' : `id ${idText(frame.id)}`;
  switch (kind) {
    case 'resumed-gap':
      return `${after} id ${idText(frame.id ?? '')}${last === leg.sentCursor ? '' : ` right after id ${idText(last)}`}; what lies between was not`;
    case 'resumed-fresh':
      return `${after} ${id} of a live event; nothing of what was missed was replayed`;
    case 'resumed-again':
      return `${after} ${id} again, with the content it had before`;
    case 'resumed-other-content':
      return `${after} ${id} again, with other content than before`;
    case 'resumed-foreign':
      return `${after} ${id} with an event of another stream`;
    case 'resumed-seamless':
      return `${after} ${id}, which fits, with content that is not this stream's`;
    case 'resumed-other-epoch':
      return `${after} ${id} of another epoch`;
    case 'resumed-out-of-order':
      return `${after} ${id} after id ${idText(last)}`;
    default:
      return `${after} ${id}`;
  }
}
