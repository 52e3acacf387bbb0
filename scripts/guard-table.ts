/**
 * Measures what the guard changes, and writes it into docs/guard.md: both official clients, with it and without,
 * run the same suite under `desync`, `reconnect` and `calm`, and mcp-chaos judges.
 *
 *   npm run build && npx tsx scripts/guard-table.ts [--seeds 20] [--runs <folder> [--again]]
 *
 * With `--runs` journals and reports are kept in a folder, and runs that are already there are not made again;
 * with `--again` those are judged again from their journals.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Finding, Report } from '../src/watcher/report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    runs: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
});
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => String(index + 1));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-chaos-guard-'));
/** The client's own patience with a call. The guard's bounds are parts of it; see guard-suite.mjs. */
const timeoutMs = '3000';
const folder = values.runs ?? scratch;
mkdirSync(folder, { recursive: true });

interface Series {
  readonly profile: string;
  readonly client: 'v1' | 'v2';
  readonly guard: boolean;
  readonly reports: readonly Report[];
  /** Calls that the suite said were rejected, of all that it said something of. */
  readonly rejected: number;
  readonly marked: number;
}

const nameOf = (profile: string, client: string, guard: boolean, seed: string): string =>
  [profile, client, guard ? 'guard' : 'bare', seed].join('-');

/** The phases of the marks in a journal. */
function marksOf(name: string): readonly string[] {
  const facts = readFileSync(join(folder, `${name}.ndjson`), 'utf8')
    .trim()
    .split('\n');
  return facts
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly phase?: string })
    .flatMap(({ kind, phase }) => (kind === 'mark' && phase !== undefined ? [phase] : []));
}

function run(profile: string, client: string, guard: boolean, seed: string): Report {
  const name = nameOf(profile, client, guard, seed);
  const report = join(folder, `${name}.json`);
  const journal = join(folder, `${name}.ndjson`);
  if (!existsSync(journal)) {
    const flags = ['--profile', profile, '--seed', seed, '--client-timeout', timeoutMs, '--deadline', '4000'];
    const outputs = ['--timeout', '60s', '--journal', journal, '--report', `json=${report}`];
    const command = [process.execPath, join(root, 'scripts/guard-suite.mjs')];
    mcpChaos([...flags, ...outputs, '--', ...command], {
      CLIENT: client,
      GUARD: guard ? '1' : '0',
      TIMEOUT_MS: timeoutMs,
    });
    console.log(name);
  } else if (values.again || !existsSync(report)) mcpChaos(['check', journal, '--report', `json=${report}`]);
  if (!existsSync(report))
    throw new Error(`${name}: there is no report; remove its journal and run it again`);
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

/** Exit codes are not looked at: that something went undetected is the point. */
function mcpChaos(args: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  spawnSync(process.execPath, [join(root, 'bin/mcp-chaos.js'), ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'ignore'],
    timeout: 90_000,
    env: { ...process.env, ...env },
  });
}

const series: Series[] = [];
try {
  for (const profile of ['desync', 'reconnect', 'calm']) {
    for (const client of ['v1', 'v2'] as const) {
      // Under calm nothing can go wrong but the guard.
      for (const guard of profile === 'calm' ? [true] : [false, true]) {
        const reports = seeds.map((seed) => run(profile, client, guard, seed));
        const marks = seeds.flatMap((seed) => marksOf(nameOf(profile, client, guard, seed)));
        const rejected = marks.filter((phase) => phase === 'rejected').length;
        series.push({ profile, client, guard, reports, rejected, marked: marks.length });
      }
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

const names = { v1: '`@modelcontextprotocol/sdk` 1.32.2', v2: '`@modelcontextprotocol/client` 2.4.0' };

function overview(): string {
  const rows = series.map(({ profile, client, guard, reports, rejected, marked }) => {
    const sum = (pick: (report: Report) => number) =>
      reports.reduce((total, report) => total + pick(report), 0);
    const detected = sum(({ coverage }) => coverage.detection.detected);
    const total = sum(({ coverage }) => coverage.detection.total);
    const alarms = sum(({ coverage }) => coverage.falseAlarms.count);
    const controls = sum(({ coverage }) => coverage.falseAlarms.total);
    const findings = reports.flatMap((report) => report.findings);
    const latencies = latenciesOf(reports.flatMap(counted));
    return [
      profile,
      names[client],
      guard ? 'yes' : 'no',
      total === 0 ? '–' : `${detected} of ${total}`,
      total === 0 ? '–' : (detected / total).toFixed(2),
      latencies.length === 0 ? '–' : `${Math.round(median(latencies))}`,
      String(findings.filter(({ outcome }) => outcome === 'undetermined').length),
      `${alarms} of ${controls}`,
      `${rejected} of ${marked}`,
    ];
  });
  return table(
    [
      'profile',
      'client',
      'guard',
      'detected',
      'coverage',
      'median latency, ms',
      'undetermined',
      'false alarms',
      'calls rejected',
    ],
    rows,
  );
}

/** Fault by fault, both clients together: what became of what could be noticed. */
function byFault(): string {
  const under = (guard: boolean) =>
    series
      .filter((one) => one.profile === 'desync' && one.guard === guard)
      .flatMap(({ reports }) => reports)
      .flatMap(counted);
  const bare = under(false);
  const guarded = under(true);
  const faults = [...new Set([...bare, ...guarded].map(({ fault }) => fault))].sort();
  const share = (findings: readonly Finding[]) =>
    findings.length === 0
      ? '–'
      : `${findings.filter(({ detected }) => detected === true).length} of ${findings.length}`;
  const rows = faults.map((fault) => {
    const of = (findings: readonly Finding[]) => findings.filter((finding) => finding.fault === fault);
    const latencies = latenciesOf(of(guarded));
    const levels = [
      ...new Set([...of(bare), ...of(guarded)].map(({ detectability }) => detectability)),
    ].sort();
    return [
      `\`${fault}\``,
      levels.join(', '),
      share(of(bare)),
      outcomes(of(bare)),
      share(of(guarded)),
      outcomes(of(guarded)),
      latencies.length === 0 ? '–' : String(Math.round(median(latencies))),
    ];
  });
  return table(
    ['fault', 'can be noticed', 'without', 'became', 'with', 'became', 'median latency, ms'],
    rows,
  );
}

function unknowable(): string {
  const found = series
    .filter(({ profile, guard }) => profile === 'desync' && guard)
    .flatMap(({ reports }) => reports.flatMap(({ findings }) => findings))
    .filter(({ detectability }) => detectability === 'none');
  const rows = [...new Set(found.map(({ fault }) => fault))].sort().map((fault) => {
    const of = found.filter((finding) => finding.fault === fault);
    return [`\`${fault}\``, String(of.length), outcomes(of)];
  });
  return rows.length === 0 ? 'None came up.' : table(['fault', 'occasions', 'became'], rows);
}

function outcomes(findings: readonly Finding[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of findings) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const parts = [...counts].sort((one, other) => other[1] - one[1]).map(([outcome, n]) => `${outcome} ${n}`);
  return parts.length === 0 ? '–' : parts.join(', ');
}

/** Judged beside the call itself; no part of the report's coverage. */
const beside = ['respects-retry', 'reconnects-with-pause', 'executes-once'];

/** The denominator of the report's coverage: it could be noticed, it need not be survived, and the evidence decides. */
function counted({ findings, faults }: Report): readonly Finding[] {
  const controls = faults.filter(({ control }) => control).map(({ fault }) => fault);
  return findings.filter(
    ({ detectability, detected, level, obligation, verdict, fault }) =>
      detectability !== 'none' &&
      detected !== null &&
      level !== 'CONTROL' &&
      !controls.includes(fault) &&
      !beside.includes(obligation) &&
      verdict !== 'moot' &&
      verdict !== 'not-exercised',
  );
}

function latenciesOf(findings: readonly Finding[]): readonly number[] {
  return findings.flatMap(({ detected, latencyMs }) => (detected === true ? (latencyMs ?? []) : []));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function fill(text: string, name: string, content: string): string {
  const [begin, end] = [`<!-- ${name}: written by scripts/guard-table.ts -->`, `<!-- /${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/guard.md: the markers ${begin} and ${end} were expected`);
  return `${text.slice(0, from + begin.length)}\n\n${content}\n\n${text.slice(to)}`;
}

const document = join(root, 'docs/guard.md');
let text = readFileSync(document, 'utf8');
text = fill(text, 'overview', `${seeds.length} seeds a row.\n\n${overview()}`);
text = fill(text, 'faults', byFault());
text = fill(text, 'unknowable', unknowable());
writeFileSync(document, text);
console.log('wrote docs/guard.md');
