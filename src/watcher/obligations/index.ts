/** Every obligation, strictest reading of an occasion first. */
import { boundsItsWait } from './bounds-its-wait.ts';
import { checksReplayedDigest } from './checks-replayed-digest.ts';
import { discardsUnfinishedEvent } from './discards-unfinished-event.ts';
import { executesOnce } from './executes-once.ts';
import { keepsCursor } from './keeps-cursor.ts';
import { keepsSessionId } from './keeps-session-id.ts';
import { matchesResponses } from './matches-responses.ts';
import { noticesMissingReplay } from './notices-missing-replay.ts';
import type { Judged, Obligation } from './obligation.ts';
import { reconnectsWithPause } from './reconnects-with-pause.ts';
import { reinitialisesAfter404 } from './reinitialises-after-404.ts';
import { respectsRetry } from './respects-retry.ts';
import { resumesAfterDrop } from './resumes-after-drop.ts';
import { settlesBrokenCall } from './settles-broken-call.ts';
import { survivesControls } from './survives-controls.ts';
import { validatesResumedCursor } from './validates-resumed-cursor.ts';

export const obligations: readonly Obligation[] = [
  // What harmed a healthy session is that before anything else.
  executesOnce,
  survivesControls,
  reinitialisesAfter404,
  discardsUnfinishedEvent,
  keepsCursor,
  respectsRetry,
  validatesResumedCursor,
  noticesMissingReplay,
  checksReplayedDigest,
  boundsItsWait,
  keepsSessionId,
  resumesAfterDrop,
  matchesResponses,
  settlesBrokenCall,
  reconnectsWithPause,
];

/** The one obligation that a case is judged under. Every kind of occasion has one, which a test shows. */
export function obligationOf(judged: Judged): Obligation {
  const { kind } = judged.one.occasion;
  const found = obligations.find(
    (obligation) => obligation.occasions.includes(kind) && (obligation.governs?.(judged) ?? true),
  );
  if (found === undefined) throw new Error(`no obligation governs the occasion "${kind}"`);
  return found;
}
