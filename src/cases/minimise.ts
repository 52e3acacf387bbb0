/**
 * Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002): from a
 * list that fails to one of which no element can be left out.
 */

/**
 * Which of these is the first that still fails; undefined where none does. Candidates come simplest first,
 * so whoever runs several at once must still answer with the first.
 */
export type FirstOf<T> = (candidates: readonly (readonly T[])[]) => Promise<number | undefined>;

/** The result fails, if `list` did, and with any one element less it does not (as far as `firstOf` is steady). */
export async function minimise<T>(list: readonly T[], firstOf: FirstOf<T>): Promise<readonly T[]> {
  let rest = list;
  let parts = 2;
  while (rest.length > 1) {
    const chunks = split(rest, Math.min(parts, rest.length));
    // Of two halves each is the other's complement.
    const complements = chunks.length === 2 ? [] : chunks.map((chunk) => without(rest, chunk));
    const found = await firstOf([...chunks, ...complements]);
    if (found === undefined) {
      if (parts >= rest.length) return rest;
      parts *= 2;
    } else if (found < chunks.length) {
      rest = chunks[found]!;
      parts = 2;
    } else {
      rest = complements[found - chunks.length]!;
      parts = Math.max(chunks.length - 1, 2);
    }
  }
  return rest;
}

/** In so many parts of about the same length, in order. */
function split<T>(list: readonly T[], parts: number): readonly (readonly T[])[] {
  return Array.from({ length: parts }, (_, at) =>
    list.slice(Math.floor((at * list.length) / parts), Math.floor(((at + 1) * list.length) / parts)),
  );
}

function without<T>(list: readonly T[], chunk: readonly T[]): readonly T[] {
  const left = new Set(chunk);
  return list.filter((one) => !left.has(one));
}
