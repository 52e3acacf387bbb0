/**
 * From a journal on disk to the report. The end of a run and `check` both come through here, so they
 * cannot differ: whatever the report depends on stands in the file.
 */
import { readFileSync } from 'node:fs';
import { ChaosError, type ErrorCode, exitCodeOf } from '../errors.ts';
import { type DecodedJournal, decodeJournal } from '../history/codec.ts';
import type { RunEnded, RunStarted } from '../history/fact.ts';
import { judge } from '../watcher/judge.ts';
import { exitCode, failuresOf, type PolicyOptions } from '../watcher/policy.ts';
import type { Report } from '../watcher/report.ts';

/** Judges the journal. `policy` replaces what the run was asked for; left out, that holds. */
export function judgeJournal(path: string, policy?: PolicyOptions): Report {
  const { facts, problems } = readJournal(path);
  if (facts.length === 0) {
    throw new ChaosError(
      'usage',
      `${path} is no journal: expected one fact a line, found none${problems[0] === undefined ? '' : ` (${problems[0]})`}`,
      {
        hint: 'A run writes its journal to .mcp-chaos/runs/<run>/journal.ndjson.',
      },
    );
  }
  const report = judge(facts);
  const started = facts.find((fact) => fact.kind === 'run-started');
  const ended = facts.find((fact) => fact.kind === 'run-ended');
  const inForce = policy ?? policyOf(started);
  return {
    ...report,
    notes: [
      ...report.notes,
      ...problems.map((problem) => `the journal is damaged: ${problem}`),
      ...notesOnEnd(report, started, ended),
      ...notesOnPolicy(report, inForce),
    ],
    exitCode: codeOfEnd(ended) ?? exitCode(report, inForce),
  };
}

/** The facts of a journal on disk, and what was wrong with it. */
export function readJournal(path: string): DecodedJournal {
  return decodeJournal(read(path));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new ChaosError(
      'usage',
      `the journal ${path} cannot be read: ${missing ? 'it does not exist' : (error as Error).message}`,
      {
        hint: 'A run prints the path of its journal at its end.',
        cause: error,
      },
    );
  }
}

function policyOf(started: RunStarted | undefined): PolicyOptions {
  // The flags were checked when they were read; a journal made by hand matches nothing at worst.
  return (started?.options.policy ?? {}) as unknown as PolicyOptions;
}

/** What comes before every verdict: 70, 64 and 130. */
function codeOfEnd(ended: RunEnded | undefined): number | undefined {
  if (ended?.error !== undefined) return exitCodeOf(ended.error.code as ErrorCode);
  return ended?.reason === 'interrupted' ? 130 : undefined;
}

function notesOnEnd(
  report: Report,
  started: RunStarted | undefined,
  ended: RunEnded | undefined,
): readonly string[] {
  if (ended === undefined)
    return ['the journal has no end: the run was cut off, and what it had not decided stays open'];
  if (ended.error !== undefined) return [];
  const notes: string[] = [];
  if (ended.reason === 'timeout') notes.push('the command did not end by itself: --timeout ended it');
  if (ended.reason === 'interrupted') notes.push('the run was interrupted');
  if (report.traffic.requests === 0) {
    const wrapped = (started?.command.length ?? 0) > 0;
    notes.push(
      wrapped
        ? 'the command never connected: no "initialize" was seen, neither to the address in MCP_CHAOS_URL, which also stands for {url} in the arguments, nor (without --no-intercept) to another server on this machine; docs/wrapping.md says which clients are seen'
        : 'no client ever connected: mcp-chaos waited for a POST of "initialize"',
    );
  }
  return notes;
}

function notesOnPolicy(report: Report, policy: PolicyOptions): readonly string[] {
  const { stale, detection, suite } = failuresOf(report, policy);
  return [
    ...stale.map(
      (entry) =>
        `expected to fail and did not: ${Object.entries(entry)
          .map((pair) => pair.join(' '))
          .join(', ')}`,
    ),
    ...(detection === undefined
      ? []
      : [
          `${(detection * 100).toFixed(1)} % of the detectable desyncs were detected, and --min-detection asks for ${(policy.minDetection! * 100).toFixed(1)} %`,
        ]),
    ...(suite ? ['the command failed, and --suite-exit counts that'] : []),
  ];
}
