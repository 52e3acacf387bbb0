/** Runs the real command line as a user does, and leaves nothing behind: no process, no file. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../../src/watcher/report.ts';

/** The repository's root, which is also the working directory of every run. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The command as it ships; `build.ts` has made what it loads. */
export const launcher = join(root, 'bin/mcp-chaos.js');

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs (default: the repository's root). */
  readonly cwd?: string;
  /** After this the whole process group is killed and the run rejects (default 60000). */
  readonly timeoutMs?: number;
  /** Called with the process once it runs, e.g. to send it a signal. */
  readonly onStart?: (process: { readonly pid: number; kill(signal: NodeJS.Signals): void }) => void;
}

export interface CliRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  /** What `--report json=…` wrote; undefined where there is no report. */
  readonly report: Report | undefined;
  /** The report as text, byte for byte. */
  readonly reportText: string | undefined;
  /** The journal's lines, parsed; empty where there is none. */
  readonly journal: readonly Record<string, unknown>[];
  readonly journalText: string;
}

/**
 * `mcp-chaos <args>`. Unless `args` (before any `--`) name them, a JSON report and a journal are asked for;
 * pass `bare` for commands that know neither.
 */
export async function runCli(
  args: readonly string[],
  {
    env = {},
    cwd = root,
    timeoutMs = 60_000,
    onStart,
    bare = false,
  }: CliOptions & { readonly bare?: boolean } = {},
): Promise<CliRun> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-chaos-e2e-'));
  const reportPath = join(folder, 'report.json');
  const journalPath = join(folder, 'journal.ndjson');
  const asked = bare ? [] : ['--report', `json=${reportPath}`, '--journal', journalPath];
  try {
    const ended = await spawnGroup([launcher, ...asked, ...args], env, cwd, timeoutMs, onStart);
    const reportText = await read(reportPath);
    const journalText = (await read(journalPath)) ?? '';
    return {
      ...ended,
      reportText,
      report: reportText === undefined ? undefined : JSON.parse(reportText),
      journalText,
      journal: journalText
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

function spawnGroup(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  timeoutMs: number,
  onStart: CliOptions['onStart'],
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    // A group of its own, so that a run that hangs can be killed with everything it started.
    const child = spawn(process.execPath, args, {
      cwd,
      detached: true,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { pid } = child;
    const killGroup = () => {
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      } catch {
        // The group is gone already.
      }
    };
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    const timer = setTimeout(() => {
      killGroup();
      reject(
        new Error(`mcp-chaos did not end within ${timeoutMs} ms\nstdout:\n${stdout}\nstderr:\n${stderr}`),
      );
    }, timeoutMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      killGroup();
      resolve({ code, signal, stdout, stderr, durationMs: performance.now() - began });
    });
    if (pid !== undefined) onStart?.({ pid, kill: (signal) => child.kill(signal) });
  });
}

async function read(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}
