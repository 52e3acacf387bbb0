/** Runs clients of the ward through the command line, all in one run, and sorts the findings by their scope. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Fact } from '../../src/history/fact.ts';
import { startEmbeddedServer } from '../../src/upstream/embedded.ts';
import type { Finding, Report } from '../../src/watcher/report.ts';
import { runCli } from '../e2e/harness/run-cli.ts';
import { type Column, clients, columns, isAdmitted, type WardClient } from './matrix.ts';

/** All clients have the same timeout, for a run has one `--client-timeout`. In ms. */
const times = { TIMEOUT_MS: '6000', IDLE_MS: '1200', HANG_MS: '11000', GIVE_UP_MS: '3500' };
const flags = ['--client-timeout', times.TIMEOUT_MS, '--deadline', '8000', '--seed', '42'];

export interface Patient {
  readonly client: string;
  readonly scope: string;
  readonly env: Readonly<Record<string, string>>;
  /** In a process of its own, whose end is the run's. */
  readonly process?: boolean;
}

export interface WardRun {
  readonly report: Report;
  readonly byScope: ReadonlyMap<string, readonly Finding[]>;
  readonly journal: readonly Fact[];
  readonly durationMs: number;
}

/** One run of the command line with these patients under this profile (YAML as data). */
export async function runWard(
  patients: readonly Patient[],
  profile: object,
  { atOnce = 24, timeoutMs = 420_000, moreFlags = [] as readonly string[] } = {},
): Promise<WardRun> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-ward-'));
  try {
    const [profilePath, patientsPath] = [join(folder, 'ward.yaml'), join(folder, 'patients.json')];
    writeFileSync(profilePath, stringify(profile));
    writeFileSync(patientsPath, JSON.stringify(patients));
    const host = fileURLToPath(new URL('ward-host.mjs', import.meta.url));
    const { report, stdout, stderr, journal, durationMs } = await runCli(
      [
        '--profile',
        profilePath,
        ...flags,
        ...moreFlags,
        '--',
        process.execPath,
        host,
        patientsPath,
        String(atOnce),
      ],
      { env: { ...times }, timeoutMs },
    );
    if (report === undefined) throw new Error(`no report\n${stderr}`);
    const failed = stdout.split('\n').filter((line) => /"(failed|stillThere)"/.test(line));
    if (failed.length > 0) throw new Error(`the ward itself failed:\n${failed.join('\n')}`);
    const byScope = new Map<string, Finding[]>();
    for (const finding of report.findings) {
      byScope.set(finding.scope, [...(byScope.get(finding.scope) ?? []), finding]);
    }
    return { report, byScope, journal: journal as unknown as readonly Fact[], durationMs };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const scopeOf = (client: WardClient, column: Column): string => `${client.slug}/${column.slug}`;

/** Every column as a rule for the scopes that end in its name. */
export function matrixProfile(): object {
  return {
    name: 'ward',
    description: 'Every fault, each for the scopes that are named after it.',
    contract: 'monotonic:stream',
    ids: { first: 1001 },
    sessionFaults: 0.5,
    rules: columns.map(({ slug, fault, params, on }) => ({
      fault,
      params,
      when: { method: on ?? 'tools/call', scope: `*/${slug}` },
      ...(on === undefined ? { nth: 2 } : { chance: 1 }),
    })),
  };
}

export interface Cell {
  readonly client: WardClient;
  readonly column: Column;
  readonly findings: readonly Finding[];
}

/** The whole matrix, or the cells that `wanted` picks. */
export async function runMatrix(
  wanted: (client: WardClient, column: Column) => boolean = () => true,
  marks = true,
  atOnce = 24,
): Promise<readonly Cell[]> {
  const pairs = mixed(
    columns.flatMap((column) =>
      clients
        .filter((client) => isAdmitted(client, column) && wanted(client, column))
        .map((client) => ({ client, column })),
    ),
  );
  const patient = ({ client, column }: (typeof pairs)[number], alone: boolean): Patient => ({
    client: client.file,
    scope: scopeOf(client, column),
    env: { CALLS: '3', ...(marks ? { MARKS: '1' } : {}), ...client.env },
    ...(alone ? { process: true } : {}),
  });
  const isAlone = ({ client }: (typeof pairs)[number]): boolean => client.only !== undefined;

  const findings = new Map<string, readonly Finding[]>();
  const together = pairs.filter((pair) => !isAlone(pair));
  const pauses = new Set(together.map(({ client }) => client.retryMs));
  const groups = [
    ...[...pauses].map((retryMs) => together.filter(({ client }) => client.retryMs === retryMs)),
    ...pairs.filter(isAlone).map((pair) => [pair]),
  ];
  for (const group of groups) {
    const { byScope } = await against(group[0]!.client.retryMs, (moreFlags) =>
      runWard(
        group.map((pair) => patient(pair, isAlone(pair))),
        matrixProfile(),
        { atOnce, moreFlags },
      ),
    );
    for (const [scope, found] of byScope) findings.set(scope, found);
  }
  return pairs.map((pair) => ({ ...pair, findings: findings.get(scopeOf(pair.client, pair.column)) ?? [] }));
}

/** With the flags for a server that asks for such pauses; for the run's own where none are named. */
async function against<T>(
  retryMs: number | undefined,
  act: (flags: readonly string[]) => Promise<T>,
): Promise<T> {
  if (retryMs === undefined) return act([]);
  const server = await startEmbeddedServer({ retryMs });
  try {
    return await act(['--upstream', server.url]);
  } finally {
    await server.close();
  }
}

/** Another order, always the same: forty sessions that restart at once would take longer than a client waits. */
function mixed<T>(list: readonly T[]): readonly T[] {
  return list
    .map((item, index) => ({ item, place: (index * 7919) % 1009 }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
