/**
 * The pump: moves one stream's frames to its client, or has executed what the armed decision says instead.
 *
 * It knows effects and no fault by name. Everything that touches one stream runs in the order of its
 * `work` chain; without a decision frames go straight through, a turn's worth in one write.
 */
import type { Effect } from '../faults/effect.ts';
import type { StoredFrame, Subject } from '../faults/fault.ts';
import { toWire } from '../history/wire-bytes.ts';
import { applyDecision } from './arming.ts';
import { execute } from './execute.ts';
import type { Lane } from './lanes.ts';
import { recordError } from './recorder.ts';
import type { RunContext } from './run-context.ts';
import { answered, deliver, type LogicalStream, type Source, takeFrame } from './stream.ts';

/** Frames that a source may run ahead while an effect waits. */
const maxAhead = 256;

/** Bytes from upstream for this stream. */
export function feed(run: RunContext, source: Source, chunk: Uint8Array): void {
  const stream = source.owner;
  const wasEmpty = source.pendingBytes === 0;
  const raws = source.scanner.push(chunk);
  source.pendingBytes = wasEmpty ? chunk.byteLength : source.pendingBytes + chunk.byteLength;
  for (const raw of raws) source.pendingBytes -= raw.byteLength;
  const whole = wasEmpty && source.pendingBytes === 0;
  const frames = raws.map((raw) => store(run, stream, raw));

  const { sink } = stream;
  const untouched = frames.every((frame, i) => frame.raw === raws[i]);
  if (stream.armed === undefined && sink !== undefined && whole && untouched && stream.pending === 0) {
    deliver(stream, frames);
    if (!sink.write(chunk, 'both')) holdBack(stream, source);
    return;
  }
  run.record({ kind: 'bytes', exchange: source.exchange, side: 'upstream', body: toWire(chunk) });
  if (frames.length === 0) return;
  if (stream.armed === undefined && stream.pending === 0) {
    if (sink !== undefined) {
      deliver(stream, frames);
      if (!sink.write(join(frames), 'client')) holdBack(stream, source);
    }
    return;
  }
  source.ahead += frames.length;
  if (source.ahead > maxAhead) source.pause();
  enqueue(run, stream, source.exchange, async () => {
    for (const frame of frames) await pumpFrame(run, stream, frame);
    source.ahead -= frames.length;
    if (source.ahead <= maxAhead && stream.sink?.slow !== true) source.resume();
  });
}

/** Upstream's body ended. `complete` = properly. */
export function sourceEnded(run: RunContext, source: Source, complete: boolean): void {
  const stream = source.owner;
  const rest = source.scanner.end();
  enqueue(run, stream, source.exchange, async () => {
    if (stream.source !== source) return;
    stream.source = undefined;
    const { sink } = stream;
    const how = complete ? 'complete' : 'fin';
    if (sink === undefined) {
      run.record({ kind: 'end', exchange: source.exchange, side: 'upstream', how, by: 'upstream' });
      return;
    }
    const effects = consult(run, stream, {
      seam: 'end',
      call: stream.call,
      attempt: stream.attempt,
      answered: answered(stream),
    });
    if (effects !== undefined) {
      run.record({ kind: 'end', exchange: source.exchange, side: 'upstream', how, by: 'upstream' });
      await execute(run, stream, sink, effects, undefined);
      if (stream.sink !== sink) return;
    }
    if (rest.byteLength > 0) sink.write(rest, 'client');
    const shared = effects === undefined && sink.exchange === source.exchange;
    if (!shared && effects === undefined) {
      run.record({ kind: 'end', exchange: source.exchange, side: 'upstream', how, by: 'upstream' });
    }
    stream.sink = undefined;
    const seq = await sink.end(how, shared ? 'both' : 'client', 'upstream');
    if (!answered(stream)) run.watch(seq);
  });
}

/** Runs `task` after everything the stream has to do before it. An error of ours is recorded, never thrown. */
export function enqueue(
  run: RunContext,
  stream: LogicalStream,
  exchange: number,
  task: () => Promise<void>,
): Promise<void> {
  stream.pending += 1;
  stream.work = stream.work.then(task).catch((error) => recordError(run.record, exchange, 'pump', error));
  stream.work = stream.work.then(() => {
    stream.pending -= 1;
  });
  return stream.work;
}

/** Asks the stream's decision about a subject; `undefined` = it passes. */
export function consult(
  run: RunContext,
  stream: LogicalStream,
  subject: Subject,
): readonly Effect[] | undefined {
  const exchange = stream.sink?.exchange ?? stream.source?.exchange ?? 0;
  return applyDecision(run, stream.armed, subject, exchange, stream.id);
}

/** Bytes for a batch of frames, one write. */
export function join(frames: readonly StoredFrame[]): Uint8Array {
  if (frames.length === 1) return frames[0]!.raw;
  return Buffer.concat(frames.map((frame) => frame.raw));
}

function store(run: RunContext, stream: LogicalStream, raw: Uint8Array): StoredFrame {
  const frame = takeFrame(stream, raw);
  for (const evicted of stream.lane.store.append(stream.id, frame)) noteEviction(run, stream.lane, evicted);
  return frame;
}

/** A full store evicts on every event; the totals are recorded each time they have doubled. */
function noteEviction(
  run: RunContext,
  lane: Lane,
  evicted: { stream: string; events: number; bytes: number },
): void {
  lane.evicted.events += evicted.events;
  lane.evicted.bytes += evicted.bytes;
  if (lane.evicted.events < lane.evicted.reportAt) return;
  lane.evicted.reportAt = lane.evicted.events * 2;
  const { events, bytes } = lane.evicted;
  run.record({ kind: 'store-evicted', lane: lane.name, stream: evicted.stream, events, bytes });
}

async function pumpFrame(run: RunContext, stream: LogicalStream, frame: StoredFrame): Promise<void> {
  const { sink } = stream;
  if (sink === undefined || !sink.open) return;
  const effects = consult(run, stream, {
    seam: 'frame',
    call: stream.call,
    attempt: stream.attempt,
    frame,
    position: stream.position + 1,
    get earlier() {
      return stream.lane.store.frames(stream.id).filter((other) => other.index < frame.index);
    },
    get foreign() {
      return stream.lane.store.foreign(stream.id);
    },
  });
  if (effects !== undefined) return execute(run, stream, sink, effects, frame);
  deliver(stream, [frame]);
  if (!sink.write(frame.raw, 'client') && stream.source !== undefined) holdBack(stream, stream.source);
}

function holdBack(stream: LogicalStream, source: Source): void {
  source.pause();
  stream.sink?.onceDrained(() => source.resume());
}
