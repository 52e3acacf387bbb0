/** All faults, in the order in which tables show them. A new one: its file, a line here, its test. */
import { acceptRequest } from './accept-request.ts';
import { type AnyFault, anyFault } from './bound-fault.ts';
import { busy } from './busy.ts';
import { changeSessionId } from './change-session-id.ts';
import { collideIds } from './collide-ids.ts';
import { crlfLines } from './crlf-lines.ts';
import { cutMidEvent } from './cut-mid-event.ts';
import { divergeReplay } from './diverge-replay.ts';
import { dropSessionId } from './drop-session-id.ts';
import { dropStream } from './drop-stream.ts';
import { duplicateResponse } from './duplicate-response.ts';
import { emptyEvents } from './empty-events.ts';
import { emptyId } from './empty-id.ts';
import { expireSession } from './expire-session.ts';
import { flapStream } from './flap-stream.ts';
import { garbleData } from './garble-data.ts';
import { hintRetry } from './hint-retry.ts';
import { keepAliveComments } from './keep-alive-comments.ts';
import { killUpstream } from './kill-upstream.ts';
import { misrouteResponse } from './misroute-response.ts';
import { refuseGet } from './refuse-get.ts';
import { refuseResume } from './refuse-resume.ts';
import { refuseSession } from './refuse-session.ts';
import { regressCursor } from './regress-cursor.ts';
import { reorderReplay } from './reorder-replay.ts';
import { repeatLastEvent } from './repeat-last-event.ts';
import { replayForeignStream } from './replay-foreign-stream.ts';
import { replayFromStart } from './replay-from-start.ts';
import { restartSession } from './restart-session.ts';
import { restartUpstream } from './restart-upstream.ts';
import { skipEvents } from './skip-events.ts';
import { slowDrip } from './slow-drip.ts';
import { stallStream } from './stall-stream.ts';
import { stripEventNames } from './strip-event-names.ts';
import { stripIds } from './strip-ids.ts';
import { swallowNotification } from './swallow-notification.ts';
import { swallowReplay } from './swallow-replay.ts';
import { swallowResponse } from './swallow-response.ts';
import { truncateIds } from './truncate-ids.ts';
import { wrapIds } from './wrap-ids.ts';
import { wrongContentType } from './wrong-content-type.ts';

export const faults: readonly AnyFault[] = [
  // stream
  anyFault(dropStream),
  anyFault(cutMidEvent),
  anyFault(stallStream),
  anyFault(flapStream),
  anyFault(hintRetry),
  // session
  anyFault(restartSession),
  anyFault(restartUpstream),
  anyFault(killUpstream),
  anyFault(expireSession),
  anyFault(refuseSession),
  anyFault(changeSessionId),
  anyFault(dropSessionId),
  // resume
  anyFault(regressCursor),
  anyFault(skipEvents),
  anyFault(swallowReplay),
  anyFault(replayFromStart),
  anyFault(repeatLastEvent),
  anyFault(replayForeignStream),
  anyFault(reorderReplay),
  anyFault(divergeReplay),
  anyFault(refuseResume),
  // ids
  anyFault(wrapIds),
  anyFault(truncateIds),
  anyFault(stripIds),
  anyFault(emptyId),
  anyFault(collideIds),
  // messages
  anyFault(swallowResponse),
  anyFault(swallowNotification),
  anyFault(duplicateResponse),
  anyFault(misrouteResponse),
  anyFault(garbleData),
  // HTTP, pacing and framing
  anyFault(busy),
  anyFault(acceptRequest),
  anyFault(wrongContentType),
  anyFault(refuseGet),
  anyFault(crlfLines),
  anyFault(keepAliveComments),
  anyFault(emptyEvents),
  anyFault(stripEventNames),
  anyFault(slowDrip),
];

const byName = new Map(faults.map((fault) => [fault.name, fault]));

export function faultNamed(name: string): AnyFault | undefined {
  return byName.get(name);
}
