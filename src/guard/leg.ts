/**
 * One SSE body on its way to the client. Chunks pass as they came; only right after a resume are bytes held
 * back, and no longer than until the first event's id is known.
 */
import type { GuardClock } from './clock.ts';
import { createEventReader, type EventReader, lastReadId, readEvents } from './event-reader.ts';
import type { Failure } from './failure.ts';

export interface LegWatch {
  /** The first event must be judged before the client gets to see it. */
  readonly guarded: boolean;
  /** `replay`: keep the event from the client until its digest is known. */
  judge(id: string): 'go-on' | 'replay' | Failure;
  /** A replayed event is whole: a failure if it is not the event it claims to be. It is dropped either way. */
  replayed(event: EventReader): Failure | undefined;
  /** Bytes came. */
  heard(): void;
  /** An event is whole and about to be passed on. */
  passed(event: EventReader): Failure | undefined;
  /** The stream must not be gone on with. The watch ends the leg. */
  failed(failure: Failure): void;
  /** The server's side ended; `halfId` is the id of an event that broke off. Returns what to say last. */
  ended(halfId: string | undefined): Uint8Array | undefined;
  /** The client let go. */
  cancelled(): void;
}

export interface Leg {
  readonly body: ReadableStream<Uint8Array>;
  /** Ends the client's side, with these events last, and lets go of the server's side. */
  finish(events: Uint8Array | undefined): void;
  /** Ends the leg as if the server had, so that the client resumes. */
  interrupt(): void;
  /** Puts events between those of the server. */
  inject(events: Uint8Array): void;
}

export function openLeg(upstream: ReadableStream<Uint8Array>, watch: LegWatch, clock: GuardClock): Leg {
  const source = upstream.getReader();
  const reader = createEventReader();
  let { guarded } = watch;
  reader.stopAtId = guarded;
  /** Bytes of an event not judged yet. */
  let held: Uint8Array[] = [];
  let dropping = false;
  let open = true;
  /** Where the client's own parser stands. */
  let place: EventReader['place'] = 'between';
  let waiting: Uint8Array[] = [];
  let out!: ReadableStreamDefaultController<Uint8Array>;

  /** Returns whether the client was given anything, or will get nothing more. */
  function take(chunk: Uint8Array): boolean {
    let at = 0;
    /** Start of what was neither passed on, held nor dropped. */
    let from = 0;
    let eventStart = 0;
    let gave = false;
    while (at < chunk.length) {
      at = readEvents(reader, chunk, at);
      if (reader.stop === 'end') break;
      if (reader.stop === 'id') {
        const verdict = reader.hasId && !dropping ? watch.judge(lastReadId(reader)) : undefined;
        if (verdict === 'replay') dropping = true;
        else if (verdict === 'go-on') {
          guarded = false;
          reader.stopAtId = false;
        } else if (verdict !== undefined) return fail(verdict);
        continue;
      }
      if (dropping) {
        const failure = watch.replayed(reader);
        if (failure !== undefined) return fail(failure);
        dropping = false;
        held = [];
        from = at;
        eventStart = at;
        continue;
      }
      const failure = watch.passed(reader);
      if (failure !== undefined) {
        if (eventStart > from) {
          pass(chunk.subarray(from, eventStart));
          place = 'between';
        }
        return fail(failure);
      }
      if (guarded) {
        // An event without an id: nothing to judge it by.
        passHeld();
        pass(chunk.subarray(from, at));
        from = at;
        gave = true;
      }
      eventStart = at;
    }
    if (dropping) return gave;
    const rest = from === 0 ? chunk : chunk.subarray(from);
    if (guarded) {
      if (rest.length > 0) held.push(rest);
      return gave;
    }
    gave ||= held.length + rest.length > 0;
    passHeld();
    if (rest.length > 0) pass(rest);
    place = reader.place;
    if (place === 'between' && waiting.length > 0) {
      for (const events of waiting) pass(events);
      waiting = [];
    }
    return gave;
  }

  function pass(bytes: Uint8Array): void {
    out.enqueue(bytes);
  }

  function passHeld(): void {
    if (held.length === 0) return;
    for (const bytes of held) pass(bytes);
    held = [];
  }

  function fail(failure: Failure): true {
    watch.failed(failure);
    // Whoever watches may have other plans; a stream that failed is never gone on with.
    finish(undefined);
    return true;
  }

  function finish(events: Uint8Array | undefined): void {
    if (!open) return;
    open = false;
    if (events !== undefined) say(events);
    out.close();
    source.cancel().catch(() => {});
  }

  /** What the client has of a broken event must not become a part of ours, nor an event of its own. */
  function say(events: Uint8Array): void {
    if (place !== 'between') pass(encoder.encode(place === 'in-line' ? `\n${voided}` : voided));
    place = 'between';
    pass(events);
  }

  // No async function: it runs for every chunk, and each promise shows in the bench.
  function pull(): Promise<void> {
    return source.read().then(received, broken);
  }

  function received(item: Awaited<ReturnType<typeof source.read>>): Promise<void> | undefined {
    if (!open) return undefined;
    if (item.done) {
      ended();
      return undefined;
    }
    watch.heard();
    return take(item.value) ? undefined : pull();
  }

  /** An event that broke off before it could be judged is no event to the client either. */
  function passRest(): void {
    passHeld();
    place = reader.place;
  }

  function ended(): void {
    if (!dropping) passRest();
    const last = watch.ended(halfId());
    if (!open) return;
    open = false;
    if (last !== undefined) say(last);
    out.close();
  }

  async function broken(error: unknown): Promise<void> {
    if (!open) return;
    if (!dropping) passRest();
    const last = watch.ended(halfId());
    if (!open) return;
    if (last !== undefined) {
      open = false;
      say(last);
      out.close();
      return;
    }
    // An error travels past what the client's own pipes still hold. A turn of the loop lets them run dry.
    await new Promise<void>((resolve) => void clock.after(0, resolve));
    if (!open) return;
    open = false;
    out.error(error);
  }

  function halfId(): string | undefined {
    return reader.place !== 'between' && reader.hasId ? lastReadId(reader) : undefined;
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        out = controller;
      },
      pull,
      cancel(reason) {
        open = false;
        watch.cancelled();
        return source.cancel(reason);
      },
    },
    // Nothing is read ahead: the client's pace is the server's.
    { highWaterMark: 0 },
  );

  return {
    body,
    finish,
    interrupt() {
      if (!open) return;
      ended();
      source.cancel().catch(() => {});
    },
    inject(events) {
      if (!open) return;
      if (place === 'between' && held.length === 0) pass(events);
      else waiting.push(events);
    },
  };
}

/** Gives a broken event a type that nobody listens to and data that is no JSON. */
const voided = 'event: mcp-chaos-guard-void\ndata: #\n\n';
const encoder = new TextEncoder();
