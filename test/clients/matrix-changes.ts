/** Predictions of `matrix.ts` that turned out wrong: what is true instead, and why. None is struck out there. */
import { clients, columns, firstPrediction, isAdmitted, type Prediction } from './matrix.ts';

/** `outcome` and `blamed` where they differ from what was predicted; `moot: false` takes it back. */
export interface Change {
  readonly clients: readonly string[];
  readonly columns: readonly string[];
  readonly outcome?: Prediction['outcome'];
  readonly blamed?: readonly string[];
  readonly moot?: boolean;
  readonly or?: Prediction['or'];
  readonly why: string;
}

const onResume = ['drop-fin', 'drop-reset', 'drop-clean', 'cut-event', 'flap', 'expire-resume', 'regress'];
const careful = [
  ...['careful', 'transparent', 'no-get', 'polite', 'blind-404', 'unchecked', 'boundless', 'adopting'],
  ...['confused', 'unsettling', 'pushy', 'repeating', 'halving', 'forgetting'],
];

export const changes: readonly Change[] = [
  {
    clients: ['double'],
    columns: [
      ...onResume,
      ...['hint-retry', 'skip-answer', 'skip-events', 'silence', 'fresh-ids', 'from-start', 'repeat'],
      ...['foreign', 'diverge', 'diverge-again', 'wrap', 'truncate', 'refuse-resume'],
    ],
    blamed: ['executes-once'],
    why: 'one occasion is judged under one obligation: the second execution, not the healthy session as well',
  },
  {
    clients: ['double'],
    columns: ['no-id', 'restart', 'lost-end', 'misroute'],
    outcome: 'recovered',
    blamed: ['executes-once'],
    why: 'the work was done where nothing could bring its answer; that it ran twice is a finding of its own',
  },
  {
    clients: ['repeating'],
    columns: ['refuse-resume'],
    outcome: 'recovered',
    why: 'the work was done where nothing could bring its answer; that it ran twice is a finding of its own',
  },
  {
    clients: ['hasty'],
    columns: [
      ...onResume,
      ...['skip-answer', 'skip-events', 'silence', 'fresh-ids', 'from-start', 'repeat', 'foreign', 'diverge'],
      ...['diverge-again', 'wrap', 'truncate', 'refuse-resume', 'restart', 'lost-end'],
    ],
    blamed: [],
    why: 'the client was changed: it pauses for 150 ms, which only a longer `retry` shows to be its own idea',
  },
  {
    clients: careful,
    columns: ['diverge'],
    moot: false,
    why: 'whoever finds out all the same is said to have; only a failure is moot',
  },
  {
    clients: ['loud'],
    columns: ['diverge'],
    moot: false,
    why: 'whoever finds out all the same is said to have; only a failure is moot',
  },
  {
    clients: ['stormy'],
    columns: ['diverge'],
    moot: true,
    why: 'the storm is blamed; that it did not notice is moot, as predicted for the others',
  },
  {
    clients: ['deaf', 'polite-deaf', 'flatterer', 'slow', 'forgetful', 'half-event', 'greedy'],
    columns: ['misroute'],
    blamed: ['matches-responses'],
    why: 'the stream ends without the right answer, which can be noticed; a timeout is no detection',
  },
  {
    clients: ['stormy'],
    columns: ['misroute'],
    blamed: ['matches-responses', 'reconnects-with-pause', 'respects-retry'],
    why: 'the stream ends without the right answer, which can be noticed; a timeout is no detection',
  },
  {
    clients: ['stubborn'],
    columns: ['no-id'],
    outcome: 'hung',
    why: 'a GET without a cursor may be for the stand-alone stream: of the call the wire shows only that it waits',
  },
  {
    clients: ['crashing'],
    columns: ['drop-fin', 'regress'],
    blamed: ['resumes-after-drop'],
    why: 'it neither resumed nor settled the call: the duty at a break, of which the session is no part',
  },
  {
    clients: ['jumpy'],
    columns: ['restart'],
    or: 'reset',
    why: 'the restart breaks the stand-alone stream too; if the client sees that first it leaves its call by itself, and the break of the one stream is judged',
  },
];

function changeOf(client: string, column: string): Change | undefined {
  return changes.findLast((each) => each.clients.includes(client) && each.columns.includes(column));
}

/** What holds now. */
export function prediction(client: string, column: string): Prediction {
  const first = firstPrediction(client, column);
  const change = changeOf(client, column);
  if (change === undefined) return first;
  const { outcome = first.outcome, blamed = first.blamed, moot = first.moot ?? false, why } = change;
  const or = change.or === undefined ? {} : { or: change.or };
  return { outcome, blamed: [...blamed].sort(), ...(moot ? { moot: true } : {}), ...or, why };
}

/** Cells whose prediction was changed since it was written down. */
export function changedCells(): readonly string[] {
  return clients.flatMap((client) =>
    columns
      .filter((column) => isAdmitted(client, column) && changeOf(client.slug, column.slug) !== undefined)
      .map((column) => `${client.slug}/${column.slug}`),
  );
}
