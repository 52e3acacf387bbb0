/** One logical stream, from the request it was born in over all its resumptions. */
import type { RequestId } from './answer-reader.ts';
import type { Cancel } from './clock.ts';
import { decodeId, type EventReader } from './event-reader.ts';
import type { AffectedRequest, Failure } from './failure.ts';
import type { Leg } from './leg.ts';
import { createMemory, type EventMemory } from './memory.ts';
import type { StreamCheckpoint } from './resumption.ts';

export interface GuardedStream {
  readonly born: 'POST' | 'GET';
  /** Requests whose answer this stream still owes. */
  readonly pending: Map<RequestId, AffectedRequest>;
  readonly memory: EventMemory;
  /** A GET for it is on its way. */
  asked: boolean;
  /** The response that carries it now; undefined between two of them. */
  leg: Leg | undefined;
  /** The id last seen, in the chunk it came in: decoded only when a reconnect asks. */
  idChunk: Uint8Array;
  idFrom: number;
  idTo: number;
  /** Of an event that the last leg broke off: a client that took it for its cursor would lose the event. */
  halfId: string | undefined;
  /** The last leg brought an id; a client that starts afresh with each leg still knows its cursor. */
  legHadId: boolean;
  retryMs: number;
  endedAt: number;
  /** Of the last request for it. */
  headers: Headers;
  /** The client's own: once it has fired, nobody waits for anything. */
  signal: AbortSignal | undefined;
  /** The client itself ended the last leg. */
  letGo: boolean;
  /** Its requests were failed. */
  failed: Failure | undefined;
  /** Errors that found no way to the client yet: given to whoever resumes this stream. */
  undelivered: Uint8Array | undefined;
  /** Ends the wait for the client's return. */
  stopWaiting: Cancel;
  /** Ends the wait for an event after a resume. */
  stopListening: Cancel | undefined;
  /** When its open leg last brought bytes. */
  heardAt: number;
  stopStallWatch: Cancel;
}

export function createStream(
  born: 'POST' | 'GET',
  requests: readonly AffectedRequest[],
  cursor = '',
): GuardedStream {
  const idChunk = new TextEncoder().encode(cursor);
  return {
    born,
    pending: new Map(requests.map((request) => [request.id, request])),
    memory: createMemory(),
    asked: false,
    leg: undefined,
    idChunk,
    idFrom: 0,
    idTo: idChunk.length,
    halfId: undefined,
    legHadId: false,
    retryMs: 0,
    endedAt: 0,
    headers: new Headers(),
    signal: undefined,
    letGo: false,
    failed: undefined,
    undelivered: undefined,
    stopWaiting: () => {},
    stopListening: undefined,
    heardAt: 0,
    stopStallWatch: () => {},
  };
}

/** What the next `Last-Event-ID` has to say; `''` = nothing to resume with. */
export function cursorOf(stream: GuardedStream): string {
  return decodeId(stream.idChunk, stream.idFrom, stream.idTo);
}

/** A whole event has passed. Ids move the cursor, with or without data (WHATWG HTML 9.2.6). */
export function noteEvent(stream: GuardedStream, event: EventReader): void {
  if (!event.hasId) return;
  stream.idChunk = event.idChunk;
  stream.idFrom = event.idFrom;
  stream.idTo = event.idTo;
  stream.legHadId = true;
  stream.memory.add(event.idA, event.idB, event.dataA, event.dataB);
}

/**
 * The client resumes after an earlier event than the last one that passed: what was written right before a
 * break may never have been read. Its word counts, or the events between would be lost.
 */
export function rewind(stream: GuardedStream, cursor: string): void {
  stream.memory.forgetAfter(cursor);
  stream.idChunk = new TextEncoder().encode(cursor);
  stream.idFrom = 0;
  stream.idTo = stream.idChunk.length;
}

export function checkpointOf(stream: GuardedStream): StreamCheckpoint | undefined {
  const lastEventId = cursorOf(stream);
  const digest = stream.memory.digest(lastEventId);
  return digest === undefined ? undefined : { lastEventId, digest };
}

export function stopTimers(stream: GuardedStream): void {
  stream.stopWaiting();
  stream.stopListening?.();
  stream.stopListening = undefined;
  stream.stopStallWatch();
}
