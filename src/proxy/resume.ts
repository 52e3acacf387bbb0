/**
 * A GET with `Last-Event-ID` for a stream that the proxy holds: answered from the replay store, coherently
 * or as the armed decision says.
 *
 * 2025-11-25 basic/transports, Resumability: always by GET, for POST-born and GET-born streams alike.
 */
import type { Effect } from '../faults/effect.ts';
import type { StoredFrame, Subject } from '../faults/fault.ts';
import { answerInstead } from './answer-instead.ts';
import { applyDecision } from './arming.ts';
import type { ClientSide } from './client-side.ts';
import { execute } from './execute.ts';
import { changeHead } from './head-effects.ts';
import { withHeader } from './headers.ts';
import type { Lane } from './lanes.ts';
import { enqueue, join } from './pump.ts';
import type { RunContext } from './run-context.ts';
import { answerRefused, refuseSession } from './session-effects.ts';
import { answered, deliver, heldByProxy, type LogicalStream } from './stream.ts';

export interface ResumeRequest {
  readonly exchange: number;
  readonly cursor: string;
  readonly client: ClientSide;
  /** Asks upstream for a live source, after an id of its own. */
  connect(stream: LogicalStream, lastEventId: string | undefined): Promise<boolean>;
  /** Goes on with the stand-alone stream of the lane's present incarnation; the head has been sent. */
  joinIncarnation(after: LogicalStream): Promise<void>;
}

/** The stream this cursor belongs to, if the proxy is the one to resume it. */
export function streamOfCursor(lane: Lane, cursor: string): LogicalStream | undefined {
  const stream = locate(lane, cursor)?.stream;
  return stream !== undefined && heldByProxy(stream) ? stream : undefined;
}

/**
 * The frame behind a cursor: by the id that was shown last, else as it is stored. A client that takes the id
 * of a half-written event for a cursor is told what a server would tell it: nothing is wrong with that id.
 */
function locate(
  lane: Lane,
  cursor: string,
): { readonly stream: LogicalStream; readonly index: number } | undefined {
  const shown = lane.shown.get(cursor);
  if (shown !== undefined) return shown;
  const stored = lane.store.find(cursor);
  const stream = stored === undefined ? undefined : lane.streams.get(stored.stream);
  return stored === undefined || stream === undefined ? undefined : { stream, index: stored.frame.index };
}

export function resume(run: RunContext, lane: Lane, stream: LogicalStream, request: ResumeRequest): void {
  const { client, cursor, exchange } = request;
  clearTimeout(stream.graceTimer);
  void enqueue(run, stream, exchange, async () => {
    const from = locate(lane, cursor)?.index ?? -1;
    const gone = stream.epoch !== lane.epoch;
    const missed = gone ? [] : lane.store.after(stream.id, from);
    stream.attempt += 1;
    stream.position = 0;
    run.record({
      kind: 'stream-resumed',
      stream: stream.id,
      exchange,
      attempt: stream.attempt,
      from: 'store',
      coherent: {
        ids: missed.map((frame) => frame.id).filter((id) => id !== undefined),
        answers: missed.some((frame) => frame.answers),
      },
    });
    if (!client.open) return;
    // The latest connection gets the stream; an earlier one that is still open stays silent.
    stream.sink = undefined;
    const subject: Subject = {
      seam: 'resume',
      call: stream.call,
      attempt: stream.attempt,
      cursor,
      missed,
      get delivered() {
        return lane.store.frames(stream.id).filter((frame) => frame.index <= from);
      },
      get foreign() {
        return lane.store.foreign(stream.id);
      },
      answered: answered(stream),
    };
    const effects = applyDecision(run, stream.armed, subject, exchange, stream.id);
    await answer(run, stream, request, effects, missed);
  });
}

async function answer(
  run: RunContext,
  stream: LogicalStream,
  request: ResumeRequest,
  effects: readonly Effect[] | undefined,
  missed: readonly StoredFrame[],
): Promise<void> {
  const { client } = request;
  const decision = effects === undefined ? undefined : stream.armed?.decision.id;
  const instead = effects?.find((effect) => effect.do === 'respond');
  if (instead !== undefined) return answerInstead(run, client, instead, decision);
  const refusal = effects?.find((effect) => effect.do === 'refuse-session');
  if (refusal !== undefined) {
    refuseSession(stream.lane, refusal.status, decision ?? '');
    answerRefused(run, client, stream.lane);
    return;
  }

  const plain = { ...stream.head, headers: withHeader(stream.head.headers, 'content-length', null) };
  const shown = client.head(changeHead(run, stream.lane, plain, effects ?? []), 'client', decision);
  const body = effects?.filter((effect) => effect.do !== 'head');
  if (body === undefined) {
    if (missed.length > 0) client.write(join(missed), 'client');
    deliver(stream, missed);
    stream.sink = client;
  } else {
    await execute(run, stream, client, placed(body, stream.lane.store.frames(stream.id), missed), undefined);
  }
  if (stream.sink === client) await goLive(run, stream, request, shown);
}

/** `pass` is the coherent replay; a stored frame that is sent as it is stands for itself. */
function placed(
  effects: readonly Effect[],
  stored: readonly StoredFrame[],
  missed: readonly StoredFrame[],
): readonly Effect[] {
  const places = new Map(stored.map(({ raw, index }) => [raw, index]));
  return effects.flatMap((effect): readonly Effect[] => {
    if (effect.do === 'pass') return missed.map(({ raw, index }) => ({ do: 'send', raw, index }));
    const index = effect.do === 'send' ? (effect.index ?? places.get(effect.raw)) : undefined;
    return index === undefined ? [effect] : [{ ...effect, index } as Effect];
  });
}

/** `shown` is the fact that the client was told of the resumption with. */
async function goLive(
  run: RunContext,
  stream: LogicalStream,
  request: ResumeRequest,
  shown: number,
): Promise<void> {
  const { client } = request;
  if (stream.epoch !== stream.lane.epoch) {
    // The incarnation that fed this stream is gone, and the new one has never heard of it: silence from here on.
    stream.sink = undefined;
    if (!answered(stream)) run.watch(shown);
    await request.joinIncarnation(stream);
    return;
  }
  if (stream.source !== undefined) return;
  if (!answered(stream) && stream.lastUpstreamId !== undefined) {
    if (await request.connect(stream, stream.lastUpstreamId)) return;
  }
  stream.sink = undefined;
  const seq = await client.end('complete', 'client', 'upstream');
  if (!answered(stream)) run.watch(seq);
}
