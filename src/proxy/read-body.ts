import type { IncomingMessage } from 'node:http';

/** The whole body, or undefined where the sender broke off. */
export function readBody(from: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    from.on('data', (piece: Buffer) => pieces.push(piece));
    from.on('end', () => resolve(Buffer.concat(pieces)));
    from.on('error', () => resolve(undefined));
    from.on('close', () => resolve(undefined));
  });
}
