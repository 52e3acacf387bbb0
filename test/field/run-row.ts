/** One client under one row, through the real command line, and what that showed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding } from '../../src/watcher/report.ts';
import { type CliRun, runCli } from '../e2e/harness/run-cli.ts';
import { startScriptedServer } from '../e2e/harness/scripted-server.ts';
import { install } from './packages.ts';
import type { Client, Row } from './rows.ts';

export const nameOf = (client: Client): string =>
  'ward' in client
    ? `ward/${client.ward}`
    : `${client.alias}${client.group.startsWith('parser') ? ` (${client.group})` : ''}`;

/** A call's own timeout, declared and kept. */
const timeoutMs = 2500;

export async function runRow(row: Row, client: Client): Promise<CliRun> {
  const upstream = row.upstream === undefined ? undefined : await startScriptedServer(row.upstream);
  const own = fileURLToPath(new URL(`profiles/${row.profile}.yaml`, import.meta.url));
  const plan = { timeoutMs, ...row.plan, ...('ward' in client ? {} : client.plan) };
  try {
    return await runCli(
      [
        '--profile',
        existsSync(own) ? own : row.profile,
        '--seed',
        String(row.seed),
        '--client-timeout',
        String(plan.timeoutMs),
        ...(row.flags ?? []),
        ...(upstream === undefined ? [] : ['--upstream', upstream.url]),
        '--',
        ...(await commandOf(client)),
      ],
      {
        timeoutMs: 120_000,
        env: {
          PLAN: JSON.stringify(plan),
          // The same, for clients of the ward.
          TIMEOUT_MS: String(plan.timeoutMs),
          PART_MS: '100',
        },
      },
    );
  } finally {
    await upstream?.close();
  }
}

async function commandOf(client: Client): Promise<readonly string[]> {
  if ('ward' in client) {
    return [process.execPath, fileURLToPath(new URL(`../clients/ward/${client.ward}.mjs`, import.meta.url))];
  }
  return [process.execPath, join(await install(client.group), client.program), client.alias];
}

/** The findings that the row is about, whatever their verdict. */
export function wanted({ finding }: Row, { report }: CliRun): readonly Finding[] {
  const { flag, ...fields } = finding;
  return (report?.findings ?? []).filter(
    (one) =>
      (flag === undefined ? one.verdict === (finding.verdict ?? 'violated') : one.flags.includes(flag)) &&
      Object.entries(fields).every(([key, value]) => one[key as keyof Finding] === value),
  );
}

/** All that a client was blamed for, but for what the row says it has besides. */
export function blamed({ besides = {} }: Row, { report }: CliRun): readonly Finding[] {
  return (report?.findings ?? []).filter(
    ({ verdict, obligation }) => verdict === 'violated' && !(obligation in besides),
  );
}

export const inWords = ({ obligation, level, outcome, verdict, flags, fault, message }: Finding): string =>
  `${level} ${obligation}: ${outcome}${flags.length > 0 ? ` (${flags.join(', ')})` : ''}, ${verdict}; ${fault}: ${message.shown} → ${message.did}`;
