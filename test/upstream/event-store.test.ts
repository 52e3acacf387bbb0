import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { createEventStore, type MemoryEventStore } from '../../src/upstream/event-store.ts';

const note = (text: string): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/x',
  params: { text },
});
const answer: JSONRPCMessage = { jsonrpc: '2.0', id: 1, result: {} };

async function replay(store: MemoryEventStore, after: string) {
  const seen: string[] = [];
  const stream = await store.replayEventsAfter(after, {
    send: async (id) => {
      seen.push(id);
    },
  });
  return { stream, seen };
}

describe('event store', () => {
  it('replays what came after an id, in order, of that stream only', async () => {
    const store = createEventStore();
    const ids: string[] = [];
    for (let index = 0; index < 50; index += 1) {
      ids.push(await store.storeEvent('a', note(String(index))));
      await store.storeEvent('b', note(String(index)));
    }
    expect(await replay(store, ids[9]!)).toEqual({ stream: 'a', seen: ids.slice(10) });
  });

  it('never gives one id twice, not even after a stream was evicted and came back', async () => {
    const store = createEventStore(2);
    const ids = [];
    for (const stream of ['a', 'b', 'b', 'a', 'a']) ids.push(await store.storeEvent(stream, note('x')));
    expect(new Set(ids).size).toBe(5);
  });

  it('includes events that are stored while the replay waits', async () => {
    const store = createEventStore();
    const first = await store.storeEvent('a', note('1'));
    await store.storeEvent('a', note('2'));
    const seen: string[] = [];
    await store.replayEventsAfter(first, {
      send: async (id) => {
        seen.push(id);
        if (seen.length === 1) await store.storeEvent('a', note('3'));
      },
    });
    expect(seen).toEqual(['a_2', 'a_3']);
  });

  it('finds the stream of the standing GET stream, whose name holds the separator', async () => {
    const store = createEventStore();
    const id = await store.storeEvent('_GET_stream', note('x'));
    expect(await store.getStreamIdForEventId(id)).toBe('_GET_stream');
  });

  it.each(['', '_', 'a', 'a_', 'a_2', 'a_01', 'a_-1', 'b_1', 'a_1e0'])(
    'does not know the id "%s"',
    async (id) => {
      const store = createEventStore();
      await store.storeEvent('a', note('x'));
      expect(await store.getStreamIdForEventId(id)).toBeUndefined();
      await expect(replay(store, id)).rejects.toThrow('unknown event id');
    },
  );

  it('does not replay priming events, which are a place and not a message', async () => {
    const store = createEventStore();
    const first = await store.storeEvent('a', note('x'));
    await store.storeEvent('a', {} as JSONRPCMessage);
    const last = await store.storeEvent('a', note('y'));
    expect((await replay(store, first)).seen).toEqual([last]);
  });

  it('drops the oldest events beyond its bound, and then no longer knows them', async () => {
    const store = createEventStore(3);
    for (const stream of ['a', 'a', 'b', 'b']) await store.storeEvent(stream, note('x'));
    expect(await store.getStreamIdForEventId('a_1')).toBeUndefined();
    expect(await store.getStreamIdForEventId('a_2')).toBe('a');
  });

  it('names the answer only to a cursor that stands before it', async () => {
    const store = createEventStore();
    const before = await store.storeEvent('a', note('x'));
    expect(store.answerAfter(before)).toBeUndefined();
    const id = await store.storeEvent('a', answer);
    expect(store.answerAfter(before)).toBe(id);
    expect(store.answerAfter(id)).toBeUndefined();
  });
});
