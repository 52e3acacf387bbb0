/** Predictions of `matrix.ts` that turned out wrong: what is true instead, and why. None is struck out there. */
import { firstPrediction, type Prediction } from './matrix.ts';

export interface Change extends Prediction {
  readonly clients: readonly string[];
  readonly columns: readonly string[];
}

export const changes: readonly Change[] = [];

function changeOf(client: string, column: string): Change | undefined {
  return changes.findLast((each) => each.clients.includes(client) && each.columns.includes(column));
}

/** What holds now. */
export function prediction(client: string, column: string): Prediction {
  return changeOf(client, column) ?? firstPrediction(client, column);
}
