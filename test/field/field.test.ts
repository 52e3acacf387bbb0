/**
 * Published clients as truth: versions that are known to have a bug, and versions that are known to have not.
 * Installs about 1 GB of packages; `npm run test:field`. The run writes `docs/field.md`.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { type Result, writeResults } from './results.ts';
import { rows } from './rows.ts';
import { blamed, inWords, nameOf, runRow, wanted } from './run-row.ts';

const results: Result[] = [];
// Not in a run of single rows: the table is of all of them.
afterAll(() => (results.length === cells.length ? writeResults(results) : undefined));

const cells = rows.flatMap((row) => [
  ...row.bad.map((client) => ({ row, client, is: 'bad' as const })),
  ...row.good.map((client) => ({ row, client, is: 'good' as const })),
]);

describe.each(rows)('$id: $what', (row) => {
  it.each(
    cells.filter((cell) => cell.row === row).map((cell) => [cell.is, nameOf(cell.client), cell] as const),
  )('%s: %s', async (is, name, { client }) => {
    const cli = await runRow(row, client);
    const found = wanted(row, cli);
    const other = blamed(row, cli).filter((finding) => !found.includes(finding));
    const exercised = row.profile === 'calm' || (cli.report?.coverage.faults.applied ?? 0) > 0;
    const right = exercised && (is === 'bad' ? found.length > 0 : found.length === 0 && other.length === 0);
    results.push({ row, client: name, is, right, exercised, exit: cli.code, found, other });
    const said = [...found, ...other].map(inWords);
    expect({ exercised, right, said }, `${cli.stdout}\n${cli.stderr}`).toMatchObject({
      exercised: true,
      right: true,
    });
  });
});
