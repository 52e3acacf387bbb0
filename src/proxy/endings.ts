/**
 * Connection endings, each exactly what it claims on the wire.
 *
 * Everything written must have been handed to the kernel first, or it is lost with the connection. And a
 * reader on Node that finds the last data and the reset in one poll reports a FIN: libuv takes a hang-up
 * after a partial read for the end of the stream. So a reset waits for two more turns of the event loop,
 * which keeps the two apart for a reader that is not far behind; on the wire it is a reset either way.
 */
import type { Socket } from 'node:net';

/** Closes the connection in mid-body: no terminating chunk, then FIN. */
export function sendFin(socket: Socket | null): void {
  socket?.destroySoon();
}

/** RST. Everything written must have been flushed before. */
export async function sendReset(socket: Socket | null): Promise<void> {
  await turn();
  await turn();
  if (socket !== null && !socket.destroyed) socket.resetAndDestroy();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
