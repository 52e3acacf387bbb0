/** Ten seeds of the profiles that users run; scripts/ward-seeds.ts runs a hundred. */
import { describe, expect, it } from 'vitest';
import { broken, innocent, pretenders, runSeeds } from '../clients/run-seeds.ts';

describe.each(['desync', 'reconnect'])('ten seeds of %s', (profile) => {
  it('blame nobody who did nothing, and alarm nobody', { timeout: 400_000 }, async () => {
    const { rows, complaints } = await runSeeds(profile, innocent, 10);
    expect(complaints).toEqual([]);
    expect(rows.map(({ falseAlarms }) => falseAlarms)).toEqual(innocent.map(() => 0));
    for (const { client, findings } of rows) expect(findings, client).toBeGreaterThan(5);
  });
});

describe('ten seeds of desync', () => {
  it('catch every broken client, and believe no pretender', { timeout: 600_000 }, async () => {
    const { rows } = await runSeeds('desync', [...broken, ...pretenders], 10, 60);
    const uncaught = rows.filter(({ caughtAt }) => caughtAt === null).map(({ client }) => client);
    expect(uncaught.filter((client) => broken.some(({ slug }) => slug === client))).toEqual([]);
    const praised = rows.filter(({ client, praised }) => praised > 0 && isPretender(client));
    expect(praised).toEqual([]);
  });
});

const isPretender = (client: string): boolean => pretenders.some(({ slug }) => slug === client);
