/**
 * A digest of an event: which id carried which payload. It tells a replay from another incarnation's event
 * under the same id.
 *
 * Two lanes of 32 bits over words of four bytes, over the id and over the data apart: 128 bits as hex. It runs
 * over every byte of a stream, so it is quick and incremental (field-values.ts does the same in its loop), and
 * it is no defence against somebody who forges events on purpose.
 */

/** Both lanes' state. */
export interface Lanes {
  readonly a: number;
  readonly b: number;
}

export const emptyLanes: Lanes = { a: 0x811c9dc5 | 0, b: 0x2c1b3c6d };

const prime = 0x01000193;

/** One word into the first lane. Every step can be undone, so one difference never gets lost on the way. */
export function mixA(lane: number, word: number): number {
  const mixed = lane ^ word;
  return Math.imul(mixed ^ (mixed >>> 15), prime);
}

/** The second lane adds up the first one's states: where two differences cancel out in that, it has seen between. */
export function mixB(lane: number, mixedA: number): number {
  return (lane + mixedA) | 0;
}

/** The last word, which may be short; `bytes` is how many bytes it holds, so that none is taken for a zero. */
export function finish({ a, b }: Lanes, word: number, bytes: number): Lanes {
  const first = mixA(a, word);
  const second = mixA(first, bytes);
  return { a: second, b: mixB(mixB(b, first), second) };
}

export function hashBytes(bytes: Uint8Array, from = 0, to = bytes.length): Lanes {
  let { a, b } = emptyLanes;
  let word = 0;
  let held = 0;
  for (let at = from; at < to; at += 1) {
    word |= bytes[at]! << (8 * held);
    held += 1;
    if (held < 4) continue;
    a = mixA(a, word);
    b = mixB(b, a);
    word = 0;
    held = 0;
  }
  return finish({ a, b }, word, held);
}

export function hashText(text: string): Lanes {
  return hashBytes(encoder.encode(text));
}

export function formatDigest(id: Lanes, data: Lanes): string {
  return [id.a, id.b, data.a, data.b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/** `data` as WHATWG HTML 9.2.6 puts it together: the data lines with LF between them. */
export function digestEvent(id: string, data: string): string {
  return formatDigest(hashText(id), hashText(data));
}

const encoder = new TextEncoder();
