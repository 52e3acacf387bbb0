/**
 * Admits every client of the ward to every fault and keeps what the watcher said: `npx tsx scripts/ward.ts`.
 * The table in docs/ward.md is made of that; `npm test` runs the same matrix and compares it with the predictions.
 */
import { writeFileSync } from 'node:fs';
import { inWords } from '../test/clients/read-cell.ts';
import { differs, settleMatrix } from '../test/clients/settle-matrix.ts';
import build from '../test/e2e/harness/build.ts';
import { type WardResults, wardResultsFile } from './ward-table.ts';

build();
const began = performance.now();
const { cells, again, undecided } = await settleMatrix();
const results: WardResults = {
  node: process.version,
  seconds: Math.round((performance.now() - began) / 1000),
  again,
  undecided,
  cells: cells.map(({ client, column, said }) => ({ client: client.slug, column: column.slug, ...said })),
};
writeFileSync(wardResultsFile, `${JSON.stringify(results)}\n`);
for (const cell of cells.filter(differs)) {
  const { client, column, wanted, said } = cell;
  console.log(`${client.slug}/${column.slug}: wanted ${inWords(wanted)}, found ${inWords(said)}`);
}
console.log(`${cells.length} cells, ${cells.filter(differs).length} differ, ${again} looked at again`);
