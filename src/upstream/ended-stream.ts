/**
 * Ends a resumed stream whose answer was already sent, once the replay has brought it.
 *
 * 2025-11-25, basic/transports, Sending Messages, 6: "the server SHOULD terminate the SSE stream" after the
 * response. The SDK does so where the response is sent live, and leaves a replayed one open for ever.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MemoryEventStore } from './event-store.ts';

/** Call it before the response is handed to the SDK, which writes an event with each call of `write`. */
export function endReplayedStream(
  request: IncomingMessage,
  response: ServerResponse,
  store: MemoryEventStore,
): void {
  const cursor = request.headers['last-event-id'];
  if (typeof cursor !== 'string') return;
  const write = response.write;
  response.write = function (this: ServerResponse, ...parts: unknown[]): boolean {
    const more = Reflect.apply(write, this, parts) as boolean;
    const answer = store.answerAfter(cursor);
    if (answer !== undefined && Buffer.from(parts[0] as Uint8Array).includes(`id: ${answer}\n`)) {
      setImmediate(() => this.end());
    }
    return more;
  } as typeof write;
}
