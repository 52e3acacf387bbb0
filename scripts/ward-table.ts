/** The part of docs/ward.md that is made of the predictions and of what the watcher said last. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Outcome } from '../src/watcher/report.ts';
import { clients, columns, firstPrediction, isAdmitted } from '../test/clients/matrix.ts';
import { changedCells, changes, prediction } from '../test/clients/matrix-changes.ts';
import { agrees, inWords } from '../test/clients/read-cell.ts';
import type { SeedRow } from '../test/clients/run-seeds.ts';
import { type Accuracy, accuracy } from '../test/clients/settle-matrix.ts';

export interface WardResults {
  readonly node: string;
  readonly seconds: number;
  /** Cells that were looked at more than once. */
  readonly again: number;
  readonly undecided: readonly string[];
  readonly cells: readonly {
    readonly client: string;
    readonly column: string;
    readonly outcome: Outcome | 'none';
    readonly blamed: readonly string[];
    readonly moot?: true;
  }[];
}

export const wardResultsFile = fileURLToPath(new URL('../test/clients/ward-results.json', import.meta.url));

const short: Readonly<Record<Outcome | 'none', string>> = {
  recovered: 'rec',
  reset: 'reset',
  surfaced: 'surf',
  'timed-out': 'time',
  stuck: 'stuck',
  hung: 'hung',
  accepted: 'acc',
  overreacted: 'over',
  crashed: 'crash',
  undetermined: '?',
  none: '–',
};

export function wardTable(): string {
  if (!existsSync(wardResultsFile)) throw new Error('the ward was not run yet: npx tsx scripts/ward.ts');
  const results = JSON.parse(readFileSync(wardResultsFile, 'utf8')) as WardResults;
  const { cells } = results;
  const found = new Map(cells.map((cell) => [`${cell.client}/${cell.column}`, cell]));
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const rows = columns.map((column) =>
    line([
      `\`${column.slug}\``,
      ...clients.map((client) => {
        const cell = found.get(`${client.slug}/${column.slug}`);
        if (!isAdmitted(client, column) || cell === undefined) return '';
        const text = `${short[cell.outcome]}${cell.moot ? '°' : ''}`;
        return cell.blamed.length > 0 ? `**${text}!**` : text;
      }),
    ]),
  );
  const wrong = cells.filter((cell) => !agrees(cell, prediction(cell.client, cell.column)));
  const changed = changedCells();
  return [
    line(['fault', ...clients.map(({ slug }) => slug)]),
    line(['---', ...clients.map(() => '---')]),
    ...rows,
    '',
    `${cells.length} cells. ${changed.length} predictions were changed since they were written down, for the ${changes.length} reasons below; ${wrong.length} cells of this run differ from what is predicted now.`,
    `The run took ${results.seconds} s on Node ${results.node}; ${results.again} cells were looked at again, with fewer clients at a time. In ${results.undecided.length} cells some finding stayed undetermined.`,
    '',
    line(['the watcher', 'by the predictions as first written down', 'as they are now']),
    line(['---', '---', '---']),
    ...measures(cells).map(line),
    '',
    line(['changed', 'what was predicted first', 'what is true', 'why']),
    line(['---', '---', '---', '---']),
    ...changes.map((change) => {
      const [client = '', column = ''] = [change.clients[0], change.columns[0]];
      const now = prediction(client, column);
      return line([
        `${change.clients.join(', ')} under ${change.columns.join(', ')}`,
        inWords(firstPrediction(client, column)),
        inWords(now) + (now.or === undefined ? '' : ` or ${now.or}`),
        change.why,
      ]);
    }),
  ].join('\n');
}

function measures(cells: WardResults['cells']): readonly (readonly string[])[] {
  const first = accuracy(cells, firstPrediction);
  const now = accuracy(cells, prediction);
  const share = ({ hit, of }: Accuracy['sensitivity']): string =>
    `${hit} of ${of} (${(hit / of).toFixed(3)})`;
  return [
    [
      'sensitivity: blamed, of the cells in which the client breaks an obligation',
      share(first.sensitivity),
      share(now.sensitivity),
    ],
    [
      'specificity: left alone, of the cells in which it breaks none',
      share(first.specificity),
      share(now.specificity),
    ],
  ];
}

export const wardSeedsFile = fileURLToPath(new URL('../test/clients/ward-seeds.json', import.meta.url));

export function wardSeedsTable(): string {
  if (!existsSync(wardSeedsFile)) throw new Error('no seeds were run yet: npx tsx scripts/ward-seeds.ts');
  const rows = JSON.parse(readFileSync(wardSeedsFile, 'utf8')) as readonly SeedRow[];
  const line = (texts: readonly (string | number)[]): string => `| ${texts.join(' | ')} |`;
  return [
    line([
      'client',
      'profile',
      'seeds',
      'findings',
      'blamed',
      'false alarms',
      'undetermined',
      'first caught at seed',
    ]),
    line(Array.from({ length: 8 }, () => '---')),
    ...rows.map((row) =>
      line([
        row.client,
        row.profile,
        row.seeds,
        row.findings,
        row.blamed,
        row.falseAlarms,
        row.undetermined,
        row.caughtAt ?? '–',
      ]),
    ),
  ].join('\n');
}
