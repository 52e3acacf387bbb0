import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReplayStore } from '../../src/cursor/replay-store.ts';
import type { StoredFrame } from '../../src/faults/fault.ts';

const frame = (index: number, size = 10, id: string | undefined = String(index)): StoredFrame => ({
  raw: new Uint8Array(size),
  id,
  index,
  content: 'notification',
  answers: false,
});
const roomy = { maxEvents: 1_000, maxBytes: 1_000_000 };
const indexes = (frames: readonly StoredFrame[]) => frames.map(({ index }) => index);

describe('replay store', () => {
  test('keeps each stream in order and gives what came after an index', () => {
    const store = createReplayStore(roomy);
    for (const index of [0, 1, 2]) expect(store.append('a', frame(index))).toEqual([]);
    store.append('b', frame(0));
    expect(indexes(store.frames('a'))).toEqual([0, 1, 2]);
    expect(indexes(store.after('a', 0))).toEqual([1, 2]);
    expect(indexes(store.after('a', -1))).toEqual([0, 1, 2]);
    expect(indexes(store.after('a', 2))).toEqual([]);
    expect(store.frames('c')).toEqual([]);
    expect(store.after('c', 0)).toEqual([]);
  });

  test('gives the other streams in the order in which they came', () => {
    const store = createReplayStore(roomy);
    const [a0, b0, c0, b1] = [frame(0), frame(0), frame(0), frame(1)];
    store.append('a', a0);
    store.append('b', b0);
    store.append('c', c0);
    store.append('b', b1);
    expect(store.foreign('a')).toEqual([b0, c0, b1]);
    expect(store.foreign('b')).toEqual([a0, c0]);
  });

  test('finds a frame by its id, the newest where ids repeat', () => {
    const store = createReplayStore(roomy);
    const [older, newer] = [frame(0, 10, '7'), frame(3, 10, '7')];
    store.append('a', older);
    expect(store.find('7')).toEqual({ stream: 'a', frame: older });
    store.append('b', newer);
    store.append('b', frame(4, 10, undefined));
    expect(store.find('7')?.frame).toBe(newer);
    expect(store.find('8')).toBeUndefined();
  });

  test('evicts the oldest of the whole session and says what went, by stream', () => {
    const store = createReplayStore({ maxEvents: 3, maxBytes: 1_000 });
    store.append('a', frame(0));
    store.append('b', frame(0));
    store.append('a', frame(1));
    expect(store.append('b', frame(1))).toEqual([{ stream: 'a', events: 1, bytes: 10 }]);
    expect(indexes(store.frames('a'))).toEqual([1]);
    expect(indexes(store.frames('b'))).toEqual([0, 1]);
  });

  test('evicts by bytes, several at once, grouped in order of age', () => {
    const store = createReplayStore({ maxEvents: 100, maxBytes: 50 });
    for (const [stream, index] of [
      ['b', 0],
      ['a', 0],
      ['b', 1],
      ['a', 1],
      ['a', 2],
    ] as const)
      store.append(stream, frame(index));
    expect(store.append('c', frame(0, 30))).toEqual([
      { stream: 'b', events: 2, bytes: 20 },
      { stream: 'a', events: 1, bytes: 10 },
    ]);
    expect(indexes(store.frames('a'))).toEqual([1, 2]);
    expect(store.frames('b')).toEqual([]);
  });

  test('a frame larger than the bound takes everything with it, itself included', () => {
    const store = createReplayStore({ maxEvents: 100, maxBytes: 50 });
    store.append('a', frame(0));
    expect(store.append('b', frame(0, 51, 'big'))).toEqual([
      { stream: 'a', events: 1, bytes: 10 },
      { stream: 'b', events: 1, bytes: 51 },
    ]);
    expect(store.find('big')).toBeUndefined();
    expect(store.append('a', frame(1, 50))).toEqual([]);
  });

  test('an evicted id is gone, unless a newer frame has it', () => {
    const store = createReplayStore({ maxEvents: 2, maxBytes: 1_000 });
    store.append('a', frame(0, 10, 'x'));
    store.append('a', frame(1, 10, 'y'));
    store.append('a', frame(2, 10, 'x'));
    expect(store.find('x')?.frame.index).toBe(2);
    store.append('a', frame(3, 10, 'z'));
    expect(store.find('y')).toBeUndefined();
    expect(store.find('x')?.frame.index).toBe(2);
  });

  test('lists that were given out do not change afterwards', () => {
    const store = createReplayStore({ maxEvents: 2, maxBytes: 1_000 });
    store.append('a', frame(0));
    const [frames, foreign] = [store.frames('a'), store.foreign('b')];
    for (let index = 1; index < 200; index += 1) store.append('a', frame(index));
    expect(indexes(frames)).toEqual([0]);
    expect(indexes(foreign)).toEqual([0]);
  });

  test('does what a plain list does, for any traffic and any bounds', () => {
    const step = fc.record({
      stream: fc.constantFrom('a', 'b', 'c'),
      size: fc.integer({ min: 0, max: 40 }),
      id: fc.option(fc.constantFrom('1', '2', '3', '4'), { nil: undefined }),
    });
    const bounds = fc.record({
      maxEvents: fc.integer({ min: 0, max: 60 }),
      maxBytes: fc.integer({ min: 0, max: 900 }),
    });
    fc.assert(
      fc.property(bounds, fc.array(step, { maxLength: 300 }), (limits, steps) => {
        const store = createReplayStore(limits);
        let plain: { stream: string; frame: StoredFrame }[] = [];
        for (const [index, { stream, size, id }] of steps.entries()) {
          const appended = { ...frame(index, size), id };
          const before = [...plain, { stream, frame: appended }];
          plain = before.slice();
          const total = () => plain.reduce((sum, entry) => sum + entry.frame.raw.byteLength, 0);
          while (plain.length > limits.maxEvents || total() > limits.maxBytes) plain.shift();
          const gone = before.slice(0, before.length - plain.length);
          const rows = store.append(stream, appended);
          expect(rows.map((row) => row.stream)).toEqual([...new Set(gone.map((entry) => entry.stream))]);
          expect(rows.reduce((sum, row) => sum + row.events, 0)).toBe(gone.length);
          expect(rows.reduce((sum, row) => sum + row.bytes, 0)).toBe(
            gone.reduce((sum, entry) => sum + entry.frame.raw.byteLength, 0),
          );
        }
        for (const stream of ['a', 'b', 'c']) {
          const own = plain.filter((entry) => entry.stream === stream).map((entry) => entry.frame);
          expect(store.frames(stream)).toEqual(own);
          expect(store.after(stream, 20)).toEqual(own.filter((stored) => stored.index > 20));
          expect(store.foreign(stream)).toEqual(
            plain.filter((entry) => entry.stream !== stream).map((entry) => entry.frame),
          );
        }
        for (const id of ['1', '2', '3', '4']) {
          expect(store.find(id)).toEqual(plain.findLast((entry) => entry.frame.id === id));
        }
      }),
      { seed: 42, numRuns: 200 },
    );
  });

  test('a million frames leave the newest of each stream', () => {
    const store = createReplayStore({ maxEvents: 50_000, maxBytes: 1_000_000_000 });
    for (let index = 0; index < 1_000_000; index += 1)
      store.append(index % 2 === 0 ? 'a' : 'b', frame(index, 0));
    expect(store.frames('a')).toHaveLength(25_000);
    expect(store.frames('b').at(-1)?.index).toBe(999_999);
  });
});
