/**
 * A stream's memory of the events that passed: for each of the last few the hashes of its id and its data,
 * sixteen bytes. It is what tells a replay from another incarnation's event under the same id.
 */
import { formatDigest, hashText, type Lanes } from './digest.ts';

export interface EventMemory {
  add(idA: number, idB: number, dataA: number, dataB: number): void;
  /** The data's hashes of the newest event with this id; undefined where none is remembered. */
  find(id: string): Lanes | undefined;
  /** Forgets what came after the newest event with this id. */
  forgetAfter(id: string): void;
  /** Digest of the newest event with this id. */
  digest(id: string): string | undefined;
}

/** Remembers `capacity` events (default 256, 4 kB once there is one). */
export function createMemory(capacity = 256): EventMemory {
  let lanes: Int32Array | undefined;
  let count = 0;

  /** Ordinal of the newest event with this id, or -1. */
  function locate({ a, b }: Lanes): number {
    if (lanes === undefined) return -1;
    for (let i = count - 1; i >= Math.max(0, count - capacity); i -= 1) {
      const at = (i % capacity) * 4;
      if (lanes[at] === a && lanes[at + 1] === b) return i;
    }
    return -1;
  }

  function find(id: string): Lanes | undefined {
    const at = (locate(hashText(id)) % capacity) * 4;
    return lanes === undefined || at < 0 ? undefined : { a: lanes[at + 2]!, b: lanes[at + 3]! };
  }

  return {
    add(idA, idB, dataA, dataB) {
      lanes ??= new Int32Array(capacity * 4);
      const at = (count % capacity) * 4;
      lanes[at] = idA;
      lanes[at + 1] = idB;
      lanes[at + 2] = dataA;
      lanes[at + 3] = dataB;
      count += 1;
    },
    find,
    forgetAfter(id) {
      const ordinal = locate(hashText(id));
      if (ordinal < 0) return;
      // Emptied, for the ring wrote them over older events that must not come back as newer ones.
      for (let i = ordinal + 1; i < count; i += 1) {
        const at = (i % capacity) * 4;
        lanes?.fill(0, at, at + 4);
      }
      count = ordinal + 1;
    },
    digest(id) {
      const data = find(id);
      return data && formatDigest(hashText(id), data);
    },
  };
}
