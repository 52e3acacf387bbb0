/**
 * A logical SSE stream: one source from upstream, at most one client that follows it, and the frames in
 * between. It outlives the client's connection, so that a dropped stream can be resumed (or not) by
 * decision.
 */

import type { Contract } from '../cursor/contract.ts';
import { formatId } from '../cursor/ids.ts';
import type { CallView, StoredFrame } from '../faults/fault.ts';
import { readMessages } from '../mcp/message.ts';
import type { CallSite } from '../schedule/site.ts';
import { withId } from '../sse/compose.ts';
import { type Fields, readFields } from '../sse/fields.ts';
import { createFrameScanner, type FrameScanner } from '../sse/scanner.ts';
import type { Armed } from './arming.ts';
import type { ClientSide, ShownHead } from './client-side.ts';
import { type Lane, learnRevision } from './lanes.ts';
import type { Recorder } from './recorder.ts';

/** Upstream's end of a stream; replaced when the proxy resumes upstream. */
export interface Source {
  /** The stream it feeds; a later stand-alone GET may take it over. */
  owner: LogicalStream;
  /** The exchange under which upstream's bytes are recorded. */
  readonly exchange: number;
  readonly scanner: FrameScanner;
  /** Bytes the scanner still holds: an unfinished frame. */
  pendingBytes: number;
  /** Frames taken from upstream that the stream's work has not reached yet. */
  ahead: number;
  pause(): void;
  resume(): void;
  destroy(): void;
}

export interface LogicalStream {
  readonly id: string;
  readonly lane: Lane;
  readonly born: 'POST' | 'GET';
  readonly ordinal: number;
  readonly epoch: number;
  readonly call: CallView;
  /** The logical address of the call that it answers. */
  readonly site: CallSite;
  /** A person may arm a fault while the stream runs. */
  armed: Armed | undefined;
  /** JSON-RPC ids of the requests that this stream is to answer; shrinks as answers come. */
  readonly awaited: Set<string | number>;
  /** The head upstream answered with; a resumption is answered likewise. */
  readonly head: ShownHead;
  readonly ids: IdOptions;
  source: Source | undefined;
  /** The client's response that live frames go to. */
  sink: ClientSide | undefined;
  attempt: number;
  /** Frames considered for the client in this attempt. */
  position: number;
  /** Frames so far, ids given so far. */
  frames: number;
  seq: number;
  lastUpstreamId: string | undefined;
  /** Newest frame that the client was shown whole; -1 before the first. */
  deliveredIndex: number;
  /** Work in order: frames, resumptions and endings of one stream never overlap. */
  work: Promise<void>;
  /** Tasks in `work` that have not finished. */
  pending: number;
  /** A decision ended the client's side: from here on the stream is resumed from our store. */
  droppedByUs: boolean;
  /** A stand-alone stream that runs on another stream's resumption, until the client asks for its own. */
  readonly borrowed: boolean;
  graceTimer: NodeJS.Timeout | undefined;
}

export interface IdOptions {
  readonly contract: Contract;
  readonly first: number | undefined;
  readonly stride: number | undefined;
}

/** The ordinal that a session's stand-alone GET stream always has; POST streams count from 2. */
export const standaloneOrdinal = 1;

export function createSource(
  owner: LogicalStream,
  exchange: number,
  response: { pause(): void; resume(): void; destroy(): void },
): Source {
  return {
    owner,
    exchange,
    scanner: createFrameScanner(),
    pendingBytes: 0,
    ahead: 0,
    pause: () => response.pause(),
    resume: () => response.resume(),
    destroy: () => response.destroy(),
  };
}

export interface StreamBirth {
  readonly id: string;
  readonly lane: Lane;
  readonly born: 'POST' | 'GET';
  readonly ordinal: number;
  readonly call: CallView;
  readonly site: CallSite;
  readonly armed: Armed | undefined;
  readonly awaited: Iterable<string | number>;
  readonly head: ShownHead;
  readonly ids: IdOptions;
  /** Ids given before, when a live source is taken over. */
  readonly seq?: number;
  readonly borrowed?: boolean;
}

export function createStream(birth: StreamBirth): LogicalStream {
  const { awaited, seq = 0, borrowed = false, ...rest } = birth;
  return {
    ...rest,
    epoch: birth.lane.epoch,
    awaited: new Set(awaited),
    source: undefined,
    sink: undefined,
    attempt: 0,
    position: 0,
    frames: 0,
    seq,
    borrowed,
    lastUpstreamId: undefined,
    deliveredIndex: -1,
    work: Promise.resolve(),
    pending: 0,
    droppedByUs: false,
    graceTimer: undefined,
  };
}

/** The proxy answers a resumption itself: it owns the ids, or it broke the stream. */
export function heldByProxy(stream: LogicalStream): boolean {
  return stream.ids.contract !== 'opaque' || stream.droppedByUs;
}

export function answered(stream: LogicalStream): boolean {
  return stream.born === 'POST' && stream.awaited.size === 0;
}

/** Turns upstream's bytes into the frame a coherent proxy would show, and remembers it. */
export function takeFrame(stream: LogicalStream, raw: Uint8Array): StoredFrame {
  const fields = readFields(raw, { first: stream.frames === 0 });
  if (fields.id !== undefined) stream.lastUpstreamId = fields.id;
  learnRevision(stream.lane, stream.call.method, raw);
  const kind = classify(stream, fields);
  const owned = stream.ids.contract !== 'opaque' && (fields.data !== undefined || fields.id !== undefined);
  const id = owned ? nextId(stream) : fields.id;
  const frame: StoredFrame = {
    raw: owned ? withId(raw, id ?? null, { first: stream.frames === 0 }) : raw,
    id,
    index: stream.frames,
    ...kind,
  };
  stream.frames += 1;
  return frame;
}

/** Ids remembered per lane; as many as the default store keeps events. */
const maxShown = 10_000;

/** The client has been shown these frames whole, as they are or altered. */
export function deliver(stream: LogicalStream, frames: readonly Pick<StoredFrame, 'id' | 'index'>[]): void {
  const { shown } = stream.lane;
  for (const { id, index } of frames) {
    stream.position += 1;
    stream.deliveredIndex = Math.max(stream.deliveredIndex, index);
    if (id === undefined || id === '') continue;
    shown.delete(id);
    shown.set(id, { stream, index });
    if (shown.size > maxShown) shown.delete(shown.keys().next().value!);
  }
}

/** Upstream's connection goes, by a fault or because nobody is there for it any more. */
export function closeSource(
  record: Recorder,
  stream: LogicalStream,
  by: 'client' | 'proxy',
  decision?: string,
): void {
  const { source } = stream;
  if (source === undefined) return;
  const of = decision === undefined ? {} : { decision };
  record({ kind: 'end', exchange: source.exchange, side: 'upstream', how: 'fin', by, ...of });
  stream.source = undefined;
  source.destroy();
}

/** The id that follows in the stream's own numbering. */
export function nextId(stream: LogicalStream): string {
  const { contract, first, stride } = stream.ids;
  stream.seq += 1;
  stream.lane.events += 1;
  const place =
    contract === 'monotonic:session'
      ? { epoch: stream.epoch, stream: 1, seq: stream.lane.events }
      : { epoch: stream.epoch, stream: stream.ordinal, seq: stream.seq };
  return formatId(contract, place, {
    ...(first === undefined ? {} : { first }),
    ...(stride === undefined ? {} : { stride }),
  });
}

function classify(stream: LogicalStream, fields: Fields): Pick<StoredFrame, 'content' | 'answers'> {
  if (fields.data === undefined)
    return { content: fields.id === undefined ? 'comment' : 'priming', answers: false };
  if (fields.data === '') return { content: 'priming', answers: false };
  const read = readMessages(fields.data);
  if (read === undefined) return { content: 'other', answers: false };
  let answers = false;
  for (const message of read.messages) {
    if (message.type === 'response' && message.id !== null && stream.awaited.delete(message.id))
      answers = true;
  }
  if (read.messages.some((message) => message.type === 'response')) return { content: 'response', answers };
  return {
    content: read.messages.some((message) => message.type === 'request') ? 'request' : 'notification',
    answers,
  };
}
