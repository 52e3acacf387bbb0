/** Where a frame stands: after which id, and whom it concerns. */
import type { Unit } from '../docket.ts';
import type { Leg, ShownFrame } from '../ledger/stream.ts';

/** Requests that still wait on the stream, or the subscription that it is. */
export function affected(leg: Leg, frame: ShownFrame): readonly Unit[] {
  const { stream } = leg;
  if (stream.born === 'GET') return [{ session: stream.session, stream }];
  return stream.calls
    .filter(
      (call) => call.cancelled === undefined && (call.answer === undefined || call.answer.seq >= frame.seq),
    )
    .map((call) => ({ call }));
}

/** The last id before this frame on its leg: at first the cursor that was sent. */
export function idBefore(leg: Leg, frame: ShownFrame): string {
  for (let at = leg.frames.lastIndexOf(frame) - 1; at >= 0; at -= 1) {
    const { id } = leg.frames[at]!;
    if (id !== undefined && id !== '') return id;
  }
  return leg.sentCursor;
}
