/**
 * Chance as a function of seed and place: the same key gives the same draws, whatever was drawn
 * before, so the interleaving of streams cannot change a plan.
 *
 * seedrandom's default generator (RC4) on the key string. Its `xor128` and `xorshift7` variants are
 * biased on keys that differ only near the end, which is what sites look like.
 */
import seedrandom from 'seedrandom';
import { sha256Hex } from '../mcp/digest.ts';

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform whole number, both bounds included. */
  int(min: number, max: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The draws for one place. Nothing is computed before the first draw (about 5 µs). */
export function keyed(seed: string, ...parts: readonly string[]): Random {
  let generator: (() => number) | undefined;
  function next(): number {
    generator ??= seedrandom(keyText(seed, parts));
    return generator();
  }
  function int(min: number, max: number): number {
    if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || min > max) {
      throw new RangeError(`random int: whole numbers min <= max were expected, found ${min} and ${max}`);
    }
    if (max - min >= Number.MAX_SAFE_INTEGER) {
      throw new RangeError(`random int: a range below 2^53 was expected, found ${min} to ${max}`);
    }
    return min + Math.floor(next() * (max - min + 1));
  }
  function pick<T>(list: readonly T[]): T {
    if (list.length === 0)
      throw new RangeError('random pick: a list with at least one element was expected, found an empty one');
    return list[int(0, list.length - 1)]!;
  }
  return { next, int, pick };
}

/**
 * Different lists of parts give different generators. seedrandom uses the low byte of each character
 * only, repeats a key shorter than 256 ("ab" and "abab" are one generator) and folds a longer one. So:
 * ASCII, a separator and a final mark that occur nowhere inside a part (a text that ends with its only
 * `!` is no repetition of another), and a digest, marked as one, in place of what would be folded.
 */
function keyText(seed: string, parts: readonly string[]): string {
  const key = `${[seed, ...parts].map(encode).join('/')}!`;
  return key.length <= 256 ? key : `#${sha256Hex(key)}!`;
}

/** Unlike `encodeURIComponent` it takes lone surrogates, and leaves no `!`. */
function encode(part: string): string {
  return part.replace(/[^A-Za-z0-9_.:-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
