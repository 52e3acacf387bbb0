/** Line ends in bytes: LF, CRLF and CR, each ending one line (WHATWG HTML 9.2.5). */

export const LF = 10;
export const CR = 13;

/**
 * Lines up to this long are walked byte by byte; in longer ones the engine's search takes over, whose
 * call costs about as much as walking this far.
 */
const walkLimit = 128;

/** Where the first CR or LF at or after `from` stands; the length where there is none. */
export function findLineEnd(bytes: Uint8Array, from: number): number {
  const length = bytes.length;
  const near = Math.min(length, from + walkLimit);
  for (let at = from; at < near; at += 1) {
    const byte = bytes[at]!;
    if (byte === LF || byte === CR) return at;
  }
  // Windows that grow with the line: a search for the byte that never comes would run to the end of
  // the chunk for every line, which is quadratic where all lines end with the other one.
  let size = 1024;
  for (let at = near; at < length; at += size, size *= 2) {
    const window = bytes.subarray(at, at + size);
    const lf = window.indexOf(LF);
    const cr = window.indexOf(CR);
    if (lf !== -1 || cr !== -1) return at + (lf === -1 || (cr !== -1 && cr < lf) ? cr : lf);
  }
  return length;
}

/** Where the line after the one that ends at `eol` begins: CRLF is one line end. */
export function skipLineEnd(bytes: Uint8Array, eol: number): number {
  if (eol >= bytes.length) return bytes.length;
  return bytes[eol] === CR && bytes[eol + 1] === LF ? eol + 2 : eol + 1;
}
