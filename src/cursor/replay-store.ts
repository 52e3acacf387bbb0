/**
 * What a coherent resume would deliver: the frames of a session's streams, bounded in number and
 * bytes over all of them. The oldest frame of the session goes first, and whoever appends is told,
 * because a loss of ours must stand in the journal.
 */
import type { StoredFrame } from '../faults/fault.ts';

export interface ReplayStore {
  /** What had to go for this frame, by stream in order of age; may include the frame itself. */
  append(stream: string, frame: StoredFrame): readonly Eviction[];
  /** Frames of the stream that are still there, oldest first. */
  frames(stream: string): readonly StoredFrame[];
  /** Frames of the stream with a greater index; indexes ascend in order of appending. */
  after(stream: string, index: number): readonly StoredFrame[];
  /** Frames of every other stream, in order of appending. */
  foreign(stream: string): readonly StoredFrame[];
  /** The newest frame with this id. */
  find(id: string): { readonly stream: string; readonly frame: StoredFrame } | undefined;
}

export interface Eviction {
  readonly stream: string;
  readonly events: number;
  readonly bytes: number;
}

export interface StoreBounds {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

interface Entry {
  readonly stream: string;
  readonly frame: StoredFrame;
}

export function createReplayStore(bounds: StoreBounds): ReplayStore {
  const session = createQueue<Entry>();
  // The oldest frame of the session is the oldest of its stream, so each queue only ever loses its head.
  const streams = new Map<string, Queue<StoredFrame>>();
  const newest = new Map<string, Entry>();
  let bytes = 0;

  function append(stream: string, frame: StoredFrame): readonly Eviction[] {
    const entry: Entry = { stream, frame };
    session.push(entry);
    let queue = streams.get(stream);
    if (queue === undefined) {
      queue = createQueue();
      streams.set(stream, queue);
    }
    queue.push(frame);
    if (frame.id !== undefined) newest.set(frame.id, entry);
    bytes += frame.raw.byteLength;
    return session.size() > bounds.maxEvents || bytes > bounds.maxBytes ? evict() : none;
  }

  function evict(): readonly Eviction[] {
    const evicted = new Map<string, { stream: string; events: number; bytes: number }>();
    while (session.size() > 0 && (session.size() > bounds.maxEvents || bytes > bounds.maxBytes)) {
      const entry = session.shift()!;
      const { stream, frame } = entry;
      bytes -= frame.raw.byteLength;
      const queue = streams.get(stream)!;
      queue.shift();
      if (queue.size() === 0) streams.delete(stream);
      // A repeated id belongs to a newer frame, which is still here.
      if (frame.id !== undefined && newest.get(frame.id) === entry) newest.delete(frame.id);
      const row = evicted.get(stream) ?? { stream, events: 0, bytes: 0 };
      row.events += 1;
      row.bytes += frame.raw.byteLength;
      evicted.set(stream, row);
    }
    return [...evicted.values()];
  }

  return {
    append,
    frames: (stream) => streams.get(stream)?.list() ?? [],
    after: (stream, index) =>
      streams
        .get(stream)
        ?.list()
        .filter((frame) => frame.index > index) ?? [],
    foreign: (stream) =>
      session
        .list()
        .filter((entry) => entry.stream !== stream)
        .map((entry) => entry.frame),
    find: (id) => newest.get(id),
  };
}

const none: readonly Eviction[] = [];

interface Queue<T> {
  push(item: T): void;
  shift(): T | undefined;
  size(): number;
  list(): readonly T[];
}

/** First in, first out, at constant cost: the head moves, and the dead half is cut off when it is one. */
function createQueue<T>(): Queue<T> {
  let items: (T | undefined)[] = [];
  let head = 0;
  return {
    push(item) {
      items.push(item);
    },
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head] = undefined;
      head += 1;
      if (head > 32 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    size: () => items.length - head,
    list: () => items.slice(head) as T[],
  };
}
