/**
 * What to think of the first event after a resume. Both seeds in one place: ids as the first document compares
 * them, an event at or below the last id told apart by its digest as the second document asks.
 */
import type { Contract } from './contract.ts';
import { StreamEpochDesyncError, validateResumedId } from './resumed-cursor.ts';

/** `replay`: an event that was seen before, if its digest agrees; only the whole event can show that. */
export type Judgement = 'go-on' | 'replay' | StreamEpochDesyncError;

/**
 * `seen` says whether an event with this id has passed before. `lastSeenId` is `''` where the client
 * presented no cursor: then nothing is expected of the ids.
 */
export function judgeFirst(
  contract: Contract,
  lastSeenId: string,
  firstId: string,
  seen: (id: string) => boolean,
): Judgement {
  // An empty id resets the cursor (WHATWG HTML 9.2.6) and says nothing of the order.
  if (lastSeenId === '' || firstId === '') return 'go-on';
  if (seen(firstId)) return 'replay';
  try {
    validateResumedId(contract, lastSeenId, firstId);
  } catch (error) {
    if (error instanceof StreamEpochDesyncError) return error;
    throw error;
  }
  return 'go-on';
}
