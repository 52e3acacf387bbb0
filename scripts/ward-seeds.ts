/** A hundred seeds of `desync` and `reconnect` for who is innocent, ten for who is not: `npx tsx scripts/ward-seeds.ts`. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { broken, innocent, pretenders, runSeeds, type SeedRow } from '../test/clients/run-seeds.ts';
import build from '../test/e2e/harness/build.ts';
import { wardSeedsFile } from './ward-table.ts';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '100' } } });
build();
const rows: SeedRow[] = [];
for (const profile of ['desync', 'reconnect']) {
  for (const { clients, seeds } of [
    { clients: innocent, seeds: Number(values.seeds) },
    { clients: [...broken, ...pretenders], seeds: 10 },
  ]) {
    const run = await runSeeds(profile, clients, seeds);
    rows.push(...run.rows);
    const names = clients === innocent ? innocent : pretenders;
    for (const complaint of run.complaints) {
      if (names.some(({ slug }) => complaint.startsWith(`${slug}/`))) console.log(complaint);
    }
    for (const row of run.rows) console.log(JSON.stringify(row));
  }
}
writeFileSync(wardSeedsFile, `${JSON.stringify(rows)}\n`);
