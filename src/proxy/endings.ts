/**
 * Connection endings, each exactly what it claims on the wire.
 *
 * Measured on Node 20: a reset asked for right after a write leaves as a FIN, and the write may be lost.
 * So the caller waits until everything written has been handed to the kernel, and a reset waits for two
 * more turns of the event loop.
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
