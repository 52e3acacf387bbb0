/** The matrix as a test and a script see it: what was wanted and said in every cell, with a second look where they differ. */
import type { Column, Prediction, WardClient } from './matrix.ts';
import { prediction } from './matrix-changes.ts';
import { agrees, type Said, saidOf } from './read-cell.ts';
import { type Cell, runMatrix } from './run-ward.ts';

export interface Judged extends Cell {
  readonly wanted: Prediction;
  readonly said: Said;
}

export interface Settled {
  readonly cells: readonly Judged[];
  /** Cells that were looked at a second time. */
  readonly again: number;
  readonly undecided: readonly string[];
}

function judged(cell: Cell): Judged {
  const { client, column, findings } = cell;
  return {
    ...cell,
    wanted: prediction(client.slug, column.slug),
    said: saidOf(findings, column.fault),
  };
}

export const differs = ({ wanted, said }: Judged): boolean => !agrees(said, wanted);

/**
 * Runs the matrix; cells that differ from their prediction once more, and with fewer at a time, for on a busy
 * machine a client may be slower than its own timeout, or too slow to be early.
 */
export async function settleMatrix(
  wanted?: (client: WardClient, column: Column) => boolean,
  looks = 3,
): Promise<Settled> {
  let cells = (await runMatrix(wanted)).map(judged);
  let again = 0;
  for (let look = 1; look < looks; look += 1) {
    const doubtful = new Set(
      cells.filter(differs).map(({ client, column }) => `${client.slug}/${column.slug}`),
    );
    if (doubtful.size === 0) break;
    if (look === 1) again = doubtful.size;
    const isDoubtful = (client: WardClient, column: Column): boolean =>
      doubtful.has(`${client.slug}/${column.slug}`);
    const second = new Map(
      (await runMatrix(isDoubtful, true, 6)).map((cell) => [
        `${cell.client.slug}/${cell.column.slug}`,
        judged(cell),
      ]),
    );
    cells = cells.map((cell) => second.get(`${cell.client.slug}/${cell.column.slug}`) ?? cell);
  }
  const undecided = cells
    .filter(({ findings }) => findings.some(({ outcome }) => outcome === 'undetermined'))
    .map(({ client, column }) => `${client.slug}/${column.slug}`);
  return { cells, again, undecided };
}

export interface Accuracy {
  /** Cells in which the client breaks an obligation, and how many of them were blamed for it. */
  readonly sensitivity: { readonly of: number; readonly hit: number };
  /** Cells in which it breaks none, and how many were left alone. */
  readonly specificity: { readonly of: number; readonly hit: number };
}

/** How often the watcher blamed the guilty, and spared the innocent, by these predictions. */
export function accuracy(
  cells: readonly { readonly client: string; readonly column: string; readonly blamed: readonly string[] }[],
  truth: (client: string, column: string) => { readonly blamed: readonly string[] },
): Accuracy {
  const guilty = cells.filter(({ client, column }) => truth(client, column).blamed.length > 0);
  const clean = cells.filter(({ client, column }) => truth(client, column).blamed.length === 0);
  return {
    sensitivity: { of: guilty.length, hit: guilty.filter(({ blamed }) => blamed.length > 0).length },
    specificity: { of: clean.length, hit: clean.filter(({ blamed }) => blamed.length === 0).length },
  };
}
