/**
 * The identity relay: bytes as they come, with back-pressure, a turn of the event loop in one write.
 */
import type { IncomingMessage } from 'node:http';
import type { ClientSide } from './client-side.ts';

/** More than this is written before the turn ends, so that memory stays bounded. */
const maxTurnBytes = 64 * 1024;

export interface RelayOptions {
  /** Record what passes: the body is MCP. */
  readonly record: boolean;
  /** Sees every piece before the client does. */
  onPiece?(piece: Uint8Array): void;
}

/** Resolves when the body has ended on either side. */
export function relayBody(from: IncomingMessage, to: ClientSide, options: RelayOptions): Promise<void> {
  return new Promise((resolve) => {
    let gathered: Uint8Array[] = [];
    let size = 0;
    let scheduled = false;
    let ended = false;

    function finish(complete: boolean): void {
      if (ended) return;
      ended = true;
      flush();
      // Where upstream broke off in mid-body the client must not take the body for complete.
      void to.end(complete ? 'complete' : 'fin', 'both', 'upstream').then(() => resolve());
    }

    function flush(): void {
      scheduled = false;
      if (size === 0) return;
      const piece = gathered.length === 1 ? gathered[0]! : Buffer.concat(gathered, size);
      gathered = [];
      size = 0;
      options.onPiece?.(piece);
      const keepsUp = options.record ? to.write(piece, 'both') : to.writeSilently(piece);
      if (keepsUp) return;
      from.pause();
      to.onceDrained(() => from.resume());
    }

    from.on('data', (piece: Uint8Array) => {
      gathered.push(piece);
      size += piece.byteLength;
      if (size >= maxTurnBytes) flush();
      else if (!scheduled) {
        scheduled = true;
        setImmediate(flush);
      }
    });
    from.on('error', () => {});
    from.on('end', () => finish(true));
    from.on('close', () => finish(from.complete));
    to.onAbort(() => {
      from.destroy();
    });
    // The caller may have paused it while it decided what to do.
    from.resume();
  });
}
