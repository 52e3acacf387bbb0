/**
 * The table of faults: one row a fault, worst first, in 80 columns. Ten full words do not fit above
 * narrow columns, so the headings stand in two rows by turns.
 */
import { detectedOutcomes, type FaultRow } from '../watcher/report.ts';
import { wrap } from './lines.ts';
import type { Paint } from './paint.ts';
import { countOf, worstFirst } from './reading.ts';

interface Column {
  readonly heading: string;
  readonly width: number;
  readonly tone: 'plain' | 'good' | 'bad' | 'doubt';
  count(row: FaultRow): number;
}

const nameWidth = 22;

const faultColumns: readonly Column[] = [
  { heading: 'armed', width: 6, tone: 'plain', count: (row) => row.armed },
  { heading: 'applied', width: 6, tone: 'plain', count: (row) => row.applied },
  { heading: 'detected', width: 6, tone: 'good', count: (row) => countOf(row, detectedOutcomes) },
  { heading: 'timed-out', width: 6, tone: 'bad', count: (row) => countOf(row, ['timed-out']) },
  { heading: 'stuck', width: 6, tone: 'bad', count: (row) => countOf(row, ['stuck']) },
  { heading: 'hung', width: 6, tone: 'bad', count: (row) => countOf(row, ['hung']) },
  { heading: 'accepted', width: 6, tone: 'bad', count: (row) => countOf(row, ['accepted']) },
  { heading: 'undetermined', width: 7, tone: 'doubt', count: (row) => countOf(row, ['undetermined']) },
  { heading: 'undetectable', width: 8, tone: 'plain', count: (row) => row.undetectable },
];

const controlColumns: readonly Column[] = [
  { ...faultColumns[0]!, width: 6 },
  { ...faultColumns[1]!, width: 8 },
  { heading: 'survived', width: 9, tone: 'good', count: (row) => countOf(row, detectedOutcomes) },
  { heading: 'false alarms', width: 13, tone: 'bad', count: (row) => countOf(row, ['overreacted']) },
  { heading: 'failed', width: 7, tone: 'bad', count: otherFailures },
  { heading: 'undetermined', width: 13, tone: 'doubt', count: (row) => countOf(row, ['undetermined']) },
];

function otherFailures(row: FaultRow): number {
  return countOf(row, ['timed-out', 'stuck', 'hung', 'accepted', 'crashed']);
}

/** Outcomes of a fault that have no column, in words: a crash, an overreaction to a real desync. */
function rest(row: FaultRow): string {
  const named = (['crashed', 'overreacted'] as const).filter((outcome) => (row.outcomes[outcome] ?? 0) > 0);
  return named.map((outcome) => `${row.outcomes[outcome]} ${outcome}`).join(', ');
}

/** Rows that were never armed would be rows of dots: they are named in one sentence. */
export function faultTable(rows: readonly FaultRow[], colours: Paint): readonly string[] {
  const armed = worstFirst(rows.filter((row) => row.armed > 0));
  const faults = armed.filter((row) => !row.control);
  const controls = armed.filter((row) => row.control);
  const idle = rows.filter((row) => row.armed === 0).map((row) => row.fault);
  const blocks = [
    faults.length === 0
      ? []
      : [
          ...headings('fault', faultColumns, colours),
          ...faults.flatMap((row) => [
            tableRow(row, faultColumns, colours),
            ...(rest(row) === '' ? [] : [colours.red(`  and ${rest(row)}`)]),
          ]),
        ],
    controls.length === 0
      ? []
      : [
          ...headings('control', controlColumns, colours),
          ...controls.map((row) => tableRow(row, controlColumns, colours)),
        ],
    idle.length === 0 ? [] : wrap(idle.join(', '), 'never armed: ', 2).split('\n').map(colours.dim),
  ].filter((block) => block.length > 0);
  return blocks.flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

/** Words end where their column ends, in two rows by turns. One row where every word fits its column. */
function headings(name: string, columns: readonly Column[], colours: Paint): readonly string[] {
  const fits = columns.every(({ heading, width }) => heading.length < width);
  const rows = fits ? [''] : ['', ''];
  let end = nameWidth;
  columns.forEach(({ heading, width }, index) => {
    end += width;
    const row = fits ? 0 : index % 2;
    rows[row] = `${rows[row]!.padEnd(end - heading.length)}${heading}`;
  });
  const last = rows.length - 1;
  rows[last] = name + rows[last]!.slice(name.length);
  return rows.map((row) => colours.dim(row));
}

function tableRow(row: FaultRow, columns: readonly Column[], colours: Paint): string {
  const name = row.applied === 0 ? colours.dim(row.fault.padEnd(nameWidth)) : row.fault.padEnd(nameWidth);
  const cells = columns.map((column) => cell(column.count(row), column, colours));
  return `${name}${cells.join('')}`;
}

function cell(count: number, { width, tone }: Column, colours: Paint): string {
  if (count === 0) return colours.dim('·'.padStart(width));
  const text = String(count).padStart(width);
  if (tone === 'good') return colours.green(text);
  if (tone === 'bad') return colours.red(text);
  return tone === 'doubt' ? colours.yellow(text) : text;
}
