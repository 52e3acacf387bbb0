import { timingSafeEqual } from 'node:crypto';

/** Without telling by its time how much of it was right. */
export function sameToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.byteLength === b.byteLength && timingSafeEqual(a, b);
}
