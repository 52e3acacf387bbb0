/**
 * What the two official clients do under every fault of `desync`, measured: one run of the command line, each
 * client and fault in a scope of its own. Writes docs/official-clients.md: `npx tsx scripts/official.ts`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { Finding, Report } from '../src/watcher/report.ts';

const clients = { 'sdk 1.32.2': 'sdk-v1.mjs', 'client 2.4.0': 'sdk-v2.mjs' } as const;
const timeoutMs = 3000;

interface Variant {
  readonly fault: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** The call that it hits; the first where nothing has to come before it. */
  readonly nth?: number;
}

const variants: readonly Variant[] = [
  { fault: 'drop-stream', params: { how: 'fin' } },
  { fault: 'drop-stream', params: { where: 'before-response', how: 'reset' } },
  { fault: 'cut-mid-event' },
  { fault: 'regress-cursor' },
  { fault: 'skip-events', params: { over: 'events' } },
  { fault: 'skip-events', params: { over: 'answer' } },
  { fault: 'swallow-replay', params: { next: 'silence' } },
  { fault: 'swallow-replay', params: { next: 'fresh-ids' } },
  { fault: 'swallow-replay', params: { next: 'fresh-seamless' } },
  { fault: 'replay-from-start' },
  { fault: 'repeat-last-event' },
  { fault: 'replay-foreign-stream', nth: 2 },
  { fault: 'diverge-replay' },
  { fault: 'diverge-replay', params: { repeatLast: true } },
  { fault: 'wrap-ids' },
  { fault: 'truncate-ids' },
  { fault: 'refuse-resume', params: { status: 400 } },
  { fault: 'stall-stream' },
  { fault: 'swallow-response', params: { next: 'stall' } },
  { fault: 'swallow-response', params: { next: 'complete' } },
  { fault: 'duplicate-response' },
  { fault: 'change-session-id' },
  { fault: 'restart-session' },
  { fault: 'expire-session', params: { at: 'request' } },
  { fault: 'expire-session', params: { at: 'resume' } },
];

const nameOf = ({ fault, params = {} }: Variant): string =>
  [fault, ...Object.entries(params).map(([key, value]) => `${key}=${value}`)].join(' ');

async function measure(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-official-'));
  try {
    const path = (name: string): string => join(folder, name);
    const rules = variants.map((variant) => ({
      fault: variant.fault,
      params: variant.params ?? {},
      when: { method: 'tools/call', scope: `*/${nameOf(variant)}` },
      nth: variant.nth ?? 1,
    }));
    const profile = {
      name: 'official',
      description: 'One fault a scope.',
      contract: 'monotonic:stream',
      sessionFaults: 0.5,
      rules,
    };
    writeFileSync(path('profile.yaml'), stringify(profile));
    const jobs = Object.entries(clients).flatMap(([client, file]) =>
      variants.map((variant) => ({
        scope: `${client}/${nameOf(variant)}`,
        file: `test/clients/official/${file}`,
      })),
    );
    writeFileSync(path('jobs.json'), JSON.stringify(jobs));
    const args = [
      '--profile',
      path('profile.yaml'),
      '--seed',
      '42',
      '--client-timeout',
      String(timeoutMs),
      '--report',
      `json=${path('report.json')}`,
      '--journal',
      path('journal.ndjson'),
    ];
    const child = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        'src/cli/main.ts',
        ...args,
        '--',
        process.execPath,
        'scripts/official-host.mjs',
        path('jobs.json'),
      ],
      {
        env: { ...process.env, TIMEOUT_MS: String(timeoutMs), CALLS: '3' },
        stdio: 'ignore',
      },
    );
    await new Promise((resolve) => child.on('close', resolve));
    return JSON.parse(readFileSync(path('report.json'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const text = (value: string): string => value.replaceAll('|', '\\|');

function cell(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'no finding';
  return findings
    .map(({ outcome, verdict, obligation }) => `**${outcome}**, ${verdict} (${obligation})`)
    .join('; ');
}

function render(report: Report): string {
  const under = (client: string, variant: Variant): readonly Finding[] =>
    report.findings.filter(
      ({ scope, fault }) => scope === `${client}/${nameOf(variant)}` && fault === variant.fault,
    );
  const rows = variants.map((variant) => {
    const cells = Object.keys(clients).map((client) => cell(under(client, variant)));
    const reason = under('sdk 1.32.2', variant)[0]?.message;
    const why = reason === undefined ? '' : text(`shown: ${reason.shown}; did: ${reason.did}`);
    return `| ${nameOf(variant)} | ${cells.join(' | ')} | ${why} |`;
  });
  const undecided = report.findings.filter(({ verdict }) => verdict === 'undetermined');
  const list = undecided.map(({ scope, message }) => `- ${scope}: ${text(message.did)}`);
  const { detected, total } = report.coverage.detection;
  return `# The official clients under \`desync\`

Written by \`npx tsx scripts/official.ts\`, last on Node ${process.version}: one tool call of several parts for each fault, the clients'
own timeout ${timeoutMs} ms, no marks. Both clients together detected ${detected} of ${total} detectable desyncs.
A lossless recovery after a duplicate or a repetition is held and no detection: the wire cannot tell who looked.

| fault | ${Object.keys(clients).join(' | ')} | what 1.32.2 was shown, and what it did |
|---|---|---|---|
${rows.join('\n')}

## Undetermined

${undecided.length} of ${report.findings.length} findings.
${list.join('\n')}
`;
}

const file = fileURLToPath(new URL('../docs/official-clients.md', import.meta.url));
writeFileSync(file, `${render(await measure()).trimEnd()}\n`);
