/**
 * The embedded server's memory of what it sent, so that a stream can be resumed.
 *
 * The SDK's own example store sorts ids as text and loses the live tail (measured: 39 of 40 events came
 * back shuffled), which would make every resumption a fault of ours. This one keeps the specification's
 * promises (2025-11-25, basic/transports, Resumability and Redelivery): ids unique in the session, the
 * stream encoded in the id, replay of that stream only, in the order sent.
 */
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

interface StoredEvent {
  /** Place in the session's numbering, from 1. */
  readonly number: number;
  readonly id: string;
  readonly message: JSONRPCMessage;
}

/** An SDK event store that can also say whether a stream is over. */
export interface MemoryEventStore extends EventStore {
  getStreamIdForEventId(eventId: string): Promise<string | undefined>;
  /** Id of the event after this one that carries the stream's response; undefined where there is none. */
  answerAfter(eventId: string): string | undefined;
}

/** Keeps up to `maxEvents` events of one session (default 10000), dropping the oldest stream's first. */
export function createEventStore(maxEvents = 10_000): MemoryEventStore {
  // Insertion order is age, so the first key is the oldest stream.
  const streams = new Map<string, StoredEvent[]>();
  let lastNumber = 0;
  let size = 0;

  function evict(): void {
    for (const [streamId, events] of streams) {
      if (size <= maxEvents) return;
      size -= events.splice(0, size - maxEvents).length;
      if (events.length === 0) streams.delete(streamId);
    }
  }

  /** The stream and event of an id; undefined for one that was never given or is no longer kept. */
  function locate(eventId: string) {
    const streamId = eventId.slice(0, Math.max(eventId.lastIndexOf('_'), 0));
    const events = streams.get(streamId);
    const event = events?.find(({ id }) => id === eventId);
    return events && event && { streamId, events, event };
  }

  return {
    // Nothing is awaited before the push: the SDK writes to the live stream right after, so a replay that is
    // under way must either see the event or be over.
    async storeEvent(streamId, message) {
      const events = streams.get(streamId) ?? [];
      streams.set(streamId, events);
      lastNumber += 1;
      const id = `${streamId}_${lastNumber}`;
      events.push({ number: lastNumber, id, message });
      size += 1;
      evict();
      return id;
    },

    async getStreamIdForEventId(eventId) {
      return locate(eventId)?.streamId;
    },

    async replayEventsAfter(lastEventId, { send }) {
      const found = locate(lastEventId);
      if (found === undefined) throw new Error(`unknown event id ${lastEventId}`);
      let { number } = found.event;
      // Not over a copy: what is stored while this waits in `send` belongs to the replay too.
      for (;;) {
        const next = found.events.find((event) => event.number > number);
        if (next === undefined) return found.streamId;
        number = next.number;
        // The SDK stores a priming event as `{}`: a place in the numbering, not a message.
        if ('jsonrpc' in next.message) await send(next.id, next.message);
      }
    },

    answerAfter(eventId) {
      const found = locate(eventId);
      return found?.events.find((each) => each.number > found.event.number && isResponse(each.message))?.id;
    },
  };
}

function isResponse(message: JSONRPCMessage): boolean {
  return 'id' in message && !('method' in message);
}
