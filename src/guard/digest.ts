/**
 * A digest of an event: which id carried which payload. It tells a replay from another incarnation's event
 * under the same id.
 *
 * Two 32-bit FNV-1a lanes with different primes, over the id and over the data apart: 128 bits as hex. It
 * runs over every byte of a stream, so it is quick and incremental, and it is no defence against somebody
 * who forges events on purpose.
 */

/** Both lanes' state. */
export interface Lanes {
  readonly a: number;
  readonly b: number;
}

export const primeA = 0x01000193;
export const primeB = 0x85ebca6b;
export const emptyLanes: Lanes = { a: 0x811c9dc5 | 0, b: 0x2c1b3c6d };

export function hashText(text: string): Lanes {
  let { a, b } = emptyLanes;
  for (const byte of encoder.encode(text)) {
    a = Math.imul(a ^ byte, primeA);
    b = Math.imul(b ^ byte, primeB);
  }
  return { a, b };
}

export function formatDigest(id: Lanes, data: Lanes): string {
  return [id.a, id.b, data.a, data.b].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

/** `data` as WHATWG HTML 9.2.6 puts it together: the data lines with LF between them. */
export function digestEvent(id: string, data: string): string {
  return formatDigest(hashText(id), hashText(data));
}

const encoder = new TextEncoder();
