import { survivesControls } from './controls.ts';
import {
  discardsUnfinishedEvent,
  keepsCursor,
  reconnectsWithPause,
  respectsRetry,
  resumesAfterDrop,
} from './cursors.ts';
import { boundsItsWait, executesOnce, matchesResponses, settlesBrokenCall } from './messages.ts';
import type { ObligationStories } from './obligation-stories.ts';
import { checksReplayedDigest, noticesMissingReplay, validatesResumedCursor } from './resumption.ts';
import { keepsSessionId, reinitialisesAfter404 } from './sessions.ts';

export const stories: readonly ObligationStories[] = [
  reinitialisesAfter404,
  discardsUnfinishedEvent,
  keepsCursor,
  resumesAfterDrop,
  respectsRetry,
  reconnectsWithPause,
  validatesResumedCursor,
  noticesMissingReplay,
  checksReplayedDigest,
  boundsItsWait,
  keepsSessionId,
  survivesControls,
  matchesResponses,
  settlesBrokenCall,
  executesOnce,
];
