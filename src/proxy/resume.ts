/**
 * A GET with `Last-Event-ID` for a stream that the proxy holds: answered from the replay store, coherently
 * or as the armed decision says.
 *
 * 2025-11-25 basic/transports, Resumability: always by GET, for POST-born and GET-born streams alike.
 */
import type { Effect } from '../faults/effect.ts';
import type { StoredFrame, Subject } from '../faults/fault.ts';
import { applyDecision } from './arming.ts';
import type { ClientSide, ShownHead } from './client-side.ts';
import { withHeader } from './headers.ts';
import type { Lane } from './lanes.ts';
import { deliver, enqueue, execute, join } from './pump.ts';
import type { RunContext } from './run-context.ts';
import { answerRefused } from './session-effects.ts';
import { answered, heldByProxy, type LogicalStream } from './stream.ts';

export interface ResumeRequest {
  readonly exchange: number;
  readonly cursor: string;
  readonly client: ClientSide;
  /** Asks upstream for a live source: after its own id, or the stand-alone stream of a new incarnation. */
  connect(stream: LogicalStream, lastEventId: string | undefined): Promise<boolean>;
  /** A stream for the lane's present incarnation, fed by upstream's stand-alone GET. */
  openIncarnation(after: LogicalStream): LogicalStream;
}

/** The stream this cursor belongs to, if the proxy is the one to resume it. */
export function streamOfCursor(lane: Lane, cursor: string): LogicalStream | undefined {
  const stream = lane.shown.get(cursor)?.stream;
  return stream !== undefined && heldByProxy(stream) ? stream : undefined;
}

export function resume(run: RunContext, lane: Lane, stream: LogicalStream, request: ResumeRequest): void {
  const { client, cursor, exchange } = request;
  clearTimeout(stream.graceTimer);
  void enqueue(run, stream, exchange, async () => {
    const from = lane.shown.get(cursor)?.index ?? -1;
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
  const refusal = effects?.find((effect) => effect.do === 'respond');
  if (refusal !== undefined) {
    client.head(
      { status: refusal.status, headers: Object.entries(refusal.headers).flat() },
      'client',
      decision,
    );
    if (refusal.body !== '') client.write(Buffer.from(refusal.body), 'client', decision);
    run.watch(await client.end('complete', 'client', 'proxy', decision));
    return;
  }
  const refused = effects?.some((effect) => effect.do === 'refuse-session') === true;
  if (refused) return refuseHere(run, stream, request, effects!);

  client.head(headFor(stream.head, effects), 'client', decision);
  const body = effects?.filter((effect) => effect.do !== 'head');
  if (body === undefined) {
    if (missed.length > 0) client.write(join(missed), 'client');
    deliver(stream, missed);
    stream.sink = client;
  } else {
    await execute(
      run,
      stream,
      client,
      body.flatMap((effect) => (effect.do === 'pass' ? replay(missed) : [effect])),
      undefined,
    );
    for (const frame of missed) noteReplayed(stream, frame, body);
  }
  if (stream.sink === client) await goLive(run, stream, request);
}

/** `pass` at the resume seam is the coherent replay. */
function replay(missed: readonly StoredFrame[]): Effect[] {
  return missed.map((frame) => ({ do: 'send', raw: frame.raw }));
}

/** A missed frame that was sent as it is counts as delivered under its own index. */
function noteReplayed(stream: LogicalStream, frame: StoredFrame, effects: readonly Effect[]): void {
  if (effects.some((effect) => effect.do === 'pass' || (effect.do === 'send' && effect.raw === frame.raw))) {
    deliver(stream, [frame]);
  }
}

async function refuseHere(
  run: RunContext,
  stream: LogicalStream,
  request: ResumeRequest,
  effects: readonly Effect[],
): Promise<void> {
  await execute(
    run,
    stream,
    request.client,
    effects.filter((effect) => effect.do === 'refuse-session'),
    undefined,
  );
  answerRefused(run, request.client, stream.lane);
}

async function goLive(run: RunContext, stream: LogicalStream, request: ResumeRequest): Promise<void> {
  const { client } = request;
  if (stream.epoch !== stream.lane.epoch) {
    // The incarnation that fed this stream is gone; what is live now is the new one's stand-alone stream.
    stream.sink = undefined;
    const fresh = request.openIncarnation(stream);
    fresh.sink = client;
    if (!(await request.connect(fresh, undefined)))
      run.watch(await client.end('complete', 'client', 'upstream'));
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

function headFor(head: ShownHead, effects: readonly Effect[] | undefined): ShownHead {
  let headers = withHeader(head.headers, 'content-length', null);
  let { status } = head;
  for (const effect of effects ?? []) {
    if (effect.do !== 'head') continue;
    status = effect.status ?? status;
    for (const [name, value] of Object.entries(effect.headers ?? {}))
      headers = withHeader(headers, name, value);
  }
  return { status, headers };
}
