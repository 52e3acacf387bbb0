/**
 * Cuts a byte stream into SSE blocks without losing a byte: what `push` and `end` return, put
 * together, is what went in, whatever the chunking.
 *
 * A block ends with the blank line that dispatches it (WHATWG HTML 9.2.6). Line ends are LF, CRLF or
 * CR in any mix (9.2.5). CR raises the one hard question: a block whose blank line ended with CR at
 * the end of a chunk is complete now, although an LF that belongs to it may follow. Waiting for it
 * would hold a complete event back (eventsource-parser 3 does), so the block is returned at once and
 * a late LF opens the next piece, where it is a blank line before any field and means nothing.
 * Extra blank lines between blocks are kept the same way, at the front of the next piece.
 */
import { CR, findLineEnd, LF, skipLineEnd } from './line-end.ts';
import { allocate } from './slab.ts';

export interface FrameScanner {
  /** The raw bytes of every block completed so far, terminator included. May share memory with `bytes`. */
  push(bytes: Uint8Array): Uint8Array[];
  /** The unfinished rest, maybe empty; the scanner then starts anew. */
  end(): Uint8Array;
}

const nothing = new Uint8Array(0);

export function createFrameScanner(): FrameScanner {
  // Chunks of the unfinished block are kept as they came and joined once, so that a 5 MB event in
  // 256-byte chunks costs 5 MB of copying and not 50 GB.
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  /** The piece has a non-empty line, so that the next blank line ends it. */
  let content = false;
  let lineStart = true;
  /** The last byte seen was a CR that ended a line: an LF right after it is not a blank line. */
  let afterCr = false;

  function take(chunk: Uint8Array, from: number, to: number): Uint8Array {
    // A chunk that is one block needs no view of itself.
    const tail = from === 0 && to === chunk.length ? chunk : chunk.subarray(from, to);
    if (held.length === 0) return tail;
    held.push(tail);
    const whole = join(held, heldBytes + tail.byteLength);
    held = [];
    heldBytes = 0;
    return whole;
  }

  function push(chunk: Uint8Array): Uint8Array[] {
    const blocks: Uint8Array[] = [];
    const length = chunk.length;
    let from = 0;
    let at = 0;
    if (length === 0) return blocks;
    if (afterCr) {
      afterCr = false;
      if (chunk[0] === LF) at = 1;
    }
    while (at < length) {
      const eol = findLineEnd(chunk, at);
      if (eol === length) {
        lineStart = false;
        content = true;
        break;
      }
      const blank = lineStart && eol === at;
      at = skipLineEnd(chunk, eol);
      if (at === length && chunk[at - 1] === CR) afterCr = true;
      lineStart = true;
      if (!blank) content = true;
      else if (content) {
        blocks.push(take(chunk, from, at));
        from = at;
        content = false;
      }
    }
    if (from < length) {
      const rest = from === 0 ? chunk : chunk.subarray(from);
      held.push(rest);
      heldBytes += rest.byteLength;
    }
    return blocks;
  }

  function end(): Uint8Array {
    const rest = held.length === 0 ? nothing : join(held, heldBytes);
    held = [];
    heldBytes = 0;
    content = false;
    lineStart = true;
    afterCr = false;
    return rest;
  }

  return { push, end };
}

function join(pieces: readonly Uint8Array[], total: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = allocate(total);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
