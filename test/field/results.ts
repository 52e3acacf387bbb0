/** Writes what a run showed into `docs/field.md`, whatever it was. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../../src/watcher/report.ts';
import { notShown, type Row, rows } from './rows.ts';

export interface Result {
  readonly row: Row;
  readonly client: string;
  readonly is: 'bad' | 'good';
  readonly right: boolean;
  readonly exercised: boolean;
  readonly exit: number | null;
  readonly found: readonly Finding[];
  readonly other: readonly Finding[];
}

const page = fileURLToPath(new URL('../../docs/field.md', import.meta.url));

export async function writeResults(results: readonly Result[]): Promise<void> {
  const right = results.filter((result) => result.right).length;
  const part = [
    `${right} of ${results.length} clients were judged as their reports say, on ${new Date().toISOString().slice(0, 10)} with Node ${process.version}.`,
    ...rows.map((row) =>
      section(
        row,
        results.filter((result) => result.row === row),
      ),
    ),
    '## Not shown',
    table(
      ['report', 'what', 'why'],
      notShown.map(({ id, what, why }) => [id, what, why]),
    ),
  ].join('\n\n');
  const text = await readFile(page, 'utf8');
  const [before = '', rest = ''] = text.split('<!-- results -->');
  const after = rest.split('<!-- /results -->')[1] ?? '\n';
  await writeFile(page, `${before}<!-- results -->\n\n${part}\n\n<!-- /results -->${after}`);
}

function section(row: Row, results: readonly Result[]): string {
  const reports = row.reports.map(
    (url) => `[${url.replace(/^.*github.com.(.+).issues.(\d+)$/, '$1#$2')}](${url})`,
  );
  const notes = [
    `Profile \`${row.profile}\`, seed ${row.seed}${row.flags === undefined ? '' : `, \`${row.flags.join(' ')}\``}.`,
    reports.length === 0 ? '' : `Reports: ${reports.join(', ')}.`,
    row.note ?? '',
    ...Object.entries(row.besides ?? {}).map(([slug, why]) => `Left out of account: \`${slug}\` (${why}).`),
  ];
  return [
    `### ${row.id}: ${row.what}`,
    notes.filter((note) => note !== '').join(' '),
    table(
      ['client', 'has it', 'finding', 'what it did', 'as reported'],
      results.map(({ client, is, found, other, right, exercised }) => {
        const [first] = [...found, ...other];
        return [
          client,
          is === 'bad' ? 'yes' : 'no',
          first === undefined ? 'none' : findingText(first),
          first === undefined ? '' : first.message.did,
          right ? 'yes' : exercised ? '**no**' : '**no: the fault was never applied**',
        ];
      }),
    ),
  ].join('\n\n');
}

const findingText = ({ level, obligation, outcome, flags, confidence }: Finding): string =>
  `${level} \`${obligation}\`: ${[outcome, ...flags].join(', ')}${confidence === 'inferred' ? ' (inferred)' : ''}`;

function table(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...lines.map(line)].join('\n');
}
