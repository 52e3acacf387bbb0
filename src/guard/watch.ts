/** What the guard looks for in one leg of a stream. */
import { errorEvents } from './answers.ts';
import type { GuardContext } from './context.ts';
import { epochOf } from './event-id.ts';
import type { EventReader } from './event-reader.ts';
import { cancel, desync, report } from './failing.ts';
import type { Failure } from './failure.ts';
import { judgeFirst } from './judge.ts';
import type { LegWatch } from './leg.ts';
import type { Session } from './session.ts';
import { checkpointOf, cursorOf, type GuardedStream, noteEvent, stopTimers } from './stream.ts';
import { awaitClient } from './waiting.ts';

/** `presented` is the cursor that this leg was asked for with; `''` = a new stream. */
export function watchLeg(
  context: GuardContext,
  session: Session,
  stream: GuardedStream,
  presented: string,
): LegWatch {
  const { contract, clock, stallMs } = context;
  const resumed = presented !== '';
  let judging = '';

  const failure = (of: Pick<Failure, 'cause' | 'message' | 'error'>): Failure => ({
    ...of,
    lastSeenId: presented,
    firstReplayedId: judging === '' ? undefined : judging,
    checkpoint: checkpointOf(stream),
  });

  function judgeResumed(id: string): 'go-on' | 'replay' | Failure {
    const judgement = judgeFirst(contract, presented, id, (one) => stream.memory.find(one) !== undefined);
    if (judgement === 'replay') return judgement;
    if (judgement !== 'go-on') {
      const { signature, message } = judgement;
      return failure({ cause: signature, message, error: judgement });
    }
    // Ids are unique in the session (2025-11-25, basic/transports, Resumability and Redelivery).
    const foreign =
      session.id !== undefined &&
      [...session.streams].some((other) => other !== stream && other.memory.find(id) !== undefined);
    if (!foreign) {
      session.epoch ??= epochOf(contract, id);
      return 'go-on';
    }
    return failure({ cause: 'foreign-event', message: `event ${id} is another stream's` });
  }

  /** A new stream has no predecessor, but its session has an epoch. */
  function judgeNew(id: string): 'go-on' | Failure {
    const epoch = epochOf(contract, id);
    if (epoch === undefined || session.id === undefined) return 'go-on';
    session.epoch ??= epoch;
    if (epoch === session.epoch) return 'go-on';
    return failure({
      cause: 'other-epoch',
      message: `a stream of epoch ${epoch} in a session of epoch ${session.epoch}; the session was recycled`,
    });
  }

  function settle(event: EventReader): Failure | undefined {
    for (const id of event.answers) {
      if (stream.pending.delete(id)) continue;
      const other = [...session.streams].find((each) => each.pending.has(id));
      if (other === undefined) continue;
      if (resumed && session.id !== undefined) {
        return failure({
          cause: 'foreign-event',
          message: `the resumed stream carries the answer to request ${id}, which is another stream's`,
        });
      }
      other.pending.delete(id);
    }
    if (stream.pending.size === 0) stopTimers(stream);
    return undefined;
  }

  return {
    guarded: resumed || contract === 'epoch',
    judge(id) {
      judging = id;
      return resumed ? judgeResumed(id) : judgeNew(id);
    },
    replayed(event) {
      const before = stream.memory.find(judging);
      if (before !== undefined && before.a === event.dataA && before.b === event.dataB) return undefined;
      return failure({
        cause: 'divergence',
        message: `event ${judging} came again with other content: the stream is another incarnation's`,
      });
    },
    heard() {
      if (stallMs !== Number.POSITIVE_INFINITY) stream.heardAt = clock.now();
    },
    passed(event) {
      if (event.retryMs !== undefined) stream.retryMs = event.retryMs;
      noteEvent(stream, event);
      // A priming event says that there is a stream, not that it is the right one.
      if (!event.isEmpty) {
        stream.stopListening?.();
        stream.stopListening = undefined;
      }
      return event.answers.length === 0 ? undefined : settle(event);
    },
    failed(found) {
      desync(context, session, stream, found);
    },
    ended(halfId) {
      stream.stopStallWatch();
      stream.leg = undefined;
      stream.endedAt = clock.now();
      stream.halfId = halfId;
      if (stream.signal?.aborted === true) stream.letGo = true;
      if (stream.pending.size === 0 || stream.letGo) return undefined;
      if (cursorOf(stream) !== '') {
        awaitClient(context, session, stream);
        return undefined;
      }
      const requests = [...stream.pending.values()];
      const found = failure({
        cause: 'cut-off',
        message: 'the stream ended without the answer, and with no event id to resume after',
      });
      stopTimers(stream);
      stream.pending.clear();
      stream.failed = found;
      cancel(context, session, requests, found, stream.headers);
      report(context, session, found, requests, false);
      return errorEvents(found, requests, false);
    },
    cancelled() {
      stream.leg = undefined;
      stream.letGo = true;
      stream.endedAt = clock.now();
      stopTimers(stream);
    },
  };
}
