/** The watcher on clients whose behaviour is known: every cell as predicted, and every obligation proven both ways. */
import { beforeAll, describe, expect, it } from 'vitest';
import { obligations } from '../../src/watcher/obligations/index.ts';
import { clients } from '../clients/matrix.ts';
import { inWords } from '../clients/read-cell.ts';
import { differs, type Settled, settleMatrix } from '../clients/settle-matrix.ts';

let settled: Settled;
beforeAll(async () => {
  settled = await settleMatrix();
}, 900_000);

describe('the ward', () => {
  it('is judged as predicted in every cell', () => {
    const wrong = settled.cells
      .filter(differs)
      .map(
        ({ client, column, wanted, said }) =>
          `${client.slug}/${column.slug}: wanted ${inWords(wanted)}, found ${inWords(said)}`,
      );
    expect(wrong).toEqual([]);
  });

  it('blames nobody who did nothing', () => {
    const innocent = clients.filter((client) => client.innocent).map(({ slug }) => slug);
    expect(innocent.length).toBe(7);
    const blamed = settled.cells.filter(
      ({ client, said }) => innocent.includes(client.slug) && said.blamed.length > 0,
    );
    expect(blamed).toEqual([]);
  });

  it('never calls a torn-down client or a flatterer detected where it was left waiting', () => {
    const praised = settled.cells.filter(
      ({ client, said, wanted }) =>
        client.neverDetects &&
        ['timed-out', 'undetermined'].includes(wanted.outcome) &&
        ['recovered', 'reset', 'surfaced'].includes(said.outcome),
    );
    expect(praised).toEqual([]);
  });

  it.each(obligations.map(({ slug }) => slug))('%s catches somebody whom nothing else catches', (slug) => {
    const byClient = new Map<string, Set<string>>();
    for (const { client, said } of settled.cells) {
      const caught = byClient.get(client.slug) ?? new Set();
      byClient.set(client.slug, caught);
      for (const each of said.blamed) caught.add(each);
    }
    const alone = [...byClient].filter(([, caught]) => caught.size === 1 && caught.has(slug));
    expect(alone.map(([client]) => client)).not.toEqual([]);
  });

  /** Nothing is said of who keeps these: a call that is not run again, a pause that is long enough. */
  const silent = ['executes-once', 'reconnects-with-pause'];

  it.each(obligations.map(({ slug }) => slug))('%s leaves somebody alone whom it was asked about', (slug) => {
    const guilty = new Set(
      settled.cells.filter(({ said }) => said.blamed.includes(slug)).map(({ column }) => column.slug),
    );
    const spared = settled.cells.filter(({ client, column, findings, said }) => {
      if (!client.innocent || said.blamed.includes(slug)) return false;
      if (silent.includes(slug)) return findings.length > 0 && guilty.has(column.slug);
      return findings.some(({ obligation, verdict }) => obligation === slug && verdict === 'held');
    });
    expect(spared.length).toBeGreaterThan(0);
  });
});
