/**
 * The ward under the profiles that users run, many times over. A scope is part of every draw's address, so a
 * hundred scopes are a hundred seeds of one client, and one run holds them all.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Finding } from '../../src/watcher/report.ts';
import { type Patient, runWard } from './run-ward.ts';

interface Admitted {
  readonly slug: string;
  readonly file: string;
  readonly env?: Readonly<Record<string, string>>;
}

const plain = (slug: string): Admitted => ({ slug, file: `${slug}.mjs` });

/** Never to be blamed for anything. */
export const innocent = ['careful', 'transparent', 'loud', 'no-get', 'no-resume', 'polite'].map(plain);

/** To be caught, each of them; `crashing` is not among them, for it would take the others with it. */
export const broken = [
  ...['deaf', 'hanging', 'slow', 'stubborn', 'stormy', 'forgetful', 'half-event', 'double', 'jumpy'].map(
    plain,
  ),
  ...['blind-404', 'greedy'].map(plain),
];

/** Never to be called detecting where they only waited. */
export const pretenders = [
  plain('flatterer'),
  plain('torn-down'),
  { slug: 'torn-down-again', file: 'torn-down.mjs', env: { AGAIN: '1' } },
];

export interface SeedRow {
  readonly client: string;
  readonly profile: string;
  readonly seeds: number;
  readonly findings: number;
  /** Findings with the verdict `violated`. */
  readonly blamed: number;
  readonly falseAlarms: number;
  readonly undetermined: number;
  /** The first seed, from 1, with a violation; null where there is none. */
  readonly caughtAt: number | null;
  /** Findings of a call that waited, and that are called detected all the same. */
  readonly praised: number;
}

export interface SeedRun {
  readonly rows: readonly SeedRow[];
  /** Violations in words, for whoever has to find out why. */
  readonly complaints: readonly string[];
}

function profileObject(name: string): object {
  const file = fileURLToPath(new URL(`../../profiles/${name}.yaml`, import.meta.url));
  return parse(readFileSync(file, 'utf8')) as object;
}

export async function runSeeds(
  profile: string,
  clients: readonly Admitted[],
  seeds: number,
  atOnce = 24,
): Promise<SeedRun> {
  const scope = (slug: string, seed: number): string => `${slug}/${seed}`;
  const numbers = Array.from({ length: seeds }, (_, index) => index + 1);
  const patients = numbers.flatMap((seed) =>
    clients.map(
      ({ slug, file, env }): Patient => ({
        client: file,
        scope: scope(slug, seed),
        env: { CALLS: '4', MARKS: '1', ...env },
      }),
    ),
  );
  const { byScope } = await runWard(patients, profileObject(profile), { atOnce, timeoutMs: 1_200_000 });
  const of = (slug: string, seed: number): readonly Finding[] => byScope.get(scope(slug, seed)) ?? [];
  const rows = clients.map(({ slug }): SeedRow => {
    const all = numbers.flatMap((seed) => of(slug, seed));
    const caught = numbers.find((seed) => of(slug, seed).some(({ verdict }) => verdict === 'violated'));
    return {
      client: slug,
      profile,
      seeds,
      findings: all.length,
      blamed: all.filter(({ verdict }) => verdict === 'violated').length,
      falseAlarms: all.filter(({ outcome }) => outcome === 'overreacted').length,
      undetermined: all.filter(({ outcome }) => outcome === 'undetermined').length,
      caughtAt: caught ?? null,
      praised: all.filter(isPraise).length,
    };
  });
  const complaints = [...byScope.values()]
    .flat()
    .filter(({ verdict }) => verdict === 'violated')
    .map(
      ({ scope: where, fault, obligation, outcome, message }) =>
        `${where} ${fault} ${obligation} ${outcome}: ${message.shown} ${message.did}`,
    );
  return { rows, complaints };
}

/**
 * Called detected, though the client has no eyes: it was not answered (a coherent resume is nobody's merit), and
 * its call was not refused by a status either, which even the deaf reject at once.
 */
function isPraise({ detected, outcome, fault, obligation }: Finding): boolean {
  if (detected !== true || outcome === 'recovered') return false;
  return !(fault === 'expire-session' && obligation === 'reinitialises-after-404' && outcome === 'surfaced');
}
