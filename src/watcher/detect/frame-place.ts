/** Where a frame stands: after which id, and whom it concerns. */
import type { Unit } from '../docket.ts';
import type { Leg, ShownFrame, Stream } from '../ledger/stream.ts';

/** Requests that still waited on the stream when fact `seq` came, the one that it answers included; or the subscription. */
export function waitingOn(stream: Stream, seq: number): readonly Unit[] {
  if (stream.born === 'GET') return [{ session: stream.session, stream }];
  return stream.calls
    .filter((call) => call.cancelled === undefined && (call.answer === undefined || call.answer.seq >= seq))
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
