/**
 * One run: services up, the command wrapped, facts recorded, services down, the journal read back and
 * judged. Whatever ends it (the command, Ctrl+C, a limit, a mistake, a crash of ours), there is a journal
 * whose last line says so, and a whole report.
 */
import { ChaosError } from '../errors.ts';
import type { Fact, RunEnded, RunStarted } from '../history/fact.ts';
import { isControlRule } from '../profiles/rule-control.ts';
import type { Profile } from '../profiles/schema.ts';
import type { PolicyOptions } from '../watcher/policy.ts';
import type { Report } from '../watcher/report.ts';
import { startChild } from './child.ts';
import { interceptingEnvironment } from './child-environment.ts';
import { type Crashes, watchCrashes } from './crashes.ts';
import { type Interrupts, watchInterrupts } from './interrupts.ts';
import { createJournal, type Journal } from './journal.ts';
import { judgeJournal } from './judge-journal.ts';
import { type LeftAlone, openLeftAlone } from './left-alone.ts';
import { createRedaction } from './redact.ts';
import { maskArguments } from './secrets.ts';
import { type ServiceOptions, type Services, startServices, upstreamName } from './services.ts';
import { watchUpstreamAnswers } from './upstream-answers.ts';
import { version } from './version.ts';

export interface RunOptions extends ServiceOptions {
  /** The command to wrap, as separate words; empty = no command, until a signal comes. */
  readonly command: readonly string[];
  /** Give the command the client's URL as its last argument. */
  readonly urlLast?: boolean;
  /** The profile as the user named it: its name, or its file. */
  readonly profileName: string;
  readonly journalPath: string;
  /** The client's own request timeout, in ms. */
  readonly clientTimeoutMs?: number;
  /** Ends the command after this many ms; absent = it may take as long as it likes. */
  readonly timeoutMs?: number;
  /** Bring MCP traffic to any other URL through the proxy too. */
  readonly intercept?: boolean;
  /** Masks message bodies in the journal. */
  readonly redact?: boolean;
  /** Flags that a reproduction needs beside profile and seed. */
  readonly flags?: readonly string[];
  /** What makes the run fail, beside what always does. */
  readonly policy?: PolicyOptions;
  /** Ends the run early, without its being an interruption. */
  readonly stop?: AbortSignal;
  /** Called once everything stands and before the command starts. */
  onStart?(services: Services): void;
  /** Called with every fact, for a live display. */
  onFact?(fact: Fact): void;
}

export interface RunResult {
  readonly report: Report;
  readonly journalPath: string;
  /** Why the run could not be carried out, where it could not. */
  readonly error?: ChaosError;
}

/** Facts of connections that the command's end closed may still be on their way. */
const settleMs = 50;
/** What the command left running has this long to end by itself. */
const sweepMs = 500;
/** After Ctrl+C or `--timeout` the command has this long before it is killed; a second Ctrl+C kills at once. */
const graceMs = { interrupt: 10_000, timeout: 5_000, stop: 1_000 };

/**
 * Carries out one run. Takes over SIGINT, SIGTERM, SIGHUP and uncaught exceptions of this process while
 * it lasts. Rejects only where not even a journal could be written.
 */
export async function run(options: RunOptions): Promise<RunResult> {
  const interrupts = watchInterrupts();
  const crashes = watchCrashes();
  // The way out where even the second Ctrl+C did not end it; exit handlers flush the journal and kill the group.
  interrupts.listen((_signal, nth) => {
    if (nth > 2) process.exit(130);
  });
  try {
    const journal = createJournal(options.journalPath, {
      ...(options.redact === true ? { redact: createRedaction() } : {}),
      onFailure: crashes.report,
    });
    if (options.onFact !== undefined) journal.onRecord(options.onFact);
    journal.record(runStarted(options));
    const outcome = await conduct(options, journal, interrupts, crashes);
    journal.record(outcome.ended);
    await journal.close();
    await outcome.services?.close();
    const report = judgeJournal(options.journalPath);
    return {
      report,
      journalPath: options.journalPath,
      ...(outcome.error === undefined ? {} : { error: outcome.error }),
    };
  } finally {
    crashes.stop();
    interrupts.stop();
  }
}

interface Outcome {
  readonly ended: RunEnded;
  readonly services?: Services;
  readonly error?: ChaosError;
}

async function conduct(
  options: RunOptions,
  journal: Journal,
  interrupts: Interrupts,
  crashes: Crashes,
): Promise<Outcome> {
  let services: Services | undefined;
  const answers = watchUpstreamAnswers(upstreamName(options));
  journal.onRecord(answers.observe);
  const crashed = crashes.first.then((error) => {
    journal.record({ kind: 'internal-error', where: 'uncaught exception', message: error.message });
    throw error;
  });
  crashed.catch(() => {});
  const stopped = interrupts.first.then(() => undefined);
  try {
    const starting = startServices(options, journal.record);
    services = await Promise.race([starting, stopped, crashed]);
    if (services === undefined) {
      starting.then((late) => late.close()).catch(() => {});
      return { ended: { kind: 'run-ended', reason: 'interrupted' } };
    }
    options.onStart?.(services);
    const reason =
      options.command.length === 0
        ? await Promise.race([stopped, crashed]).then(() => 'stopped' as const)
        : await wrap(options, services, journal, interrupts, crashed);
    const instead = answers.somethingElse();
    if (instead !== undefined) throw notMcp(options, instead);
    return { ended: { kind: 'run-ended', reason }, services };
  } catch (thrown) {
    const error =
      thrown instanceof ChaosError
        ? thrown
        : new ChaosError('internal', (thrown as Error).message, { cause: thrown });
    const ended: RunEnded = {
      kind: 'run-ended',
      reason: 'failed',
      error: { code: error.code, message: error.message },
    };
    return { ended, error, ...(services === undefined ? {} : { services }) };
  }
}

/** Runs the command to its end, whatever brings it about, and says what did. */
async function wrap(
  options: RunOptions,
  services: Services,
  journal: Journal,
  interrupts: Interrupts,
  crashed: Promise<never>,
): Promise<RunEnded['reason']> {
  const words = options.command.map((word) => word.replaceAll('{url}', services.url));
  const command = options.urlLast === true ? [...words, services.url] : words;
  const leftAlone =
    options.intercept === true ? openLeftAlone(`${options.journalPath}.left-alone`) : undefined;
  const environment = childEnvironment(options, services, leftAlone);
  const child = await startChild(command, { ...process.env, ...environment }).catch((error: unknown) => {
    leftAlone?.remove();
    throw error;
  });
  journal.record({ kind: 'child-started' });
  services.warm();
  const startedAt = performance.now();
  let reason: RunEnded['reason'] = 'child-exited';
  const timers: NodeJS.Timeout[] = [];
  const end = (why: RunEnded['reason'], signal: NodeJS.Signals, killAfterMs: number): void => {
    if (reason === 'child-exited') reason = why;
    child.signal(signal);
    timers.push(setTimeout(() => child.signal('SIGKILL'), killAfterMs));
  };
  interrupts.listen((signal, nth) => end('interrupted', nth === 1 ? signal : 'SIGKILL', graceMs.interrupt));
  options.stop?.addEventListener('abort', () => end('stopped', 'SIGTERM', graceMs.stop), { once: true });
  if (interrupts.count > 0) end('interrupted', 'SIGTERM', graceMs.interrupt);
  if (options.timeoutMs !== undefined) {
    timers.push(setTimeout(() => end('timeout', 'SIGTERM', graceMs.timeout), options.timeoutMs));
  }
  try {
    const { code, signal } = await Promise.race([child.exited, crashed]);
    journal.record({
      kind: 'child-exited',
      code,
      signal,
      durationMs: Math.round(performance.now() - startedAt),
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    await child.sweep(sweepMs);
    leftAlone?.record(journal.record, services.untouched);
  }
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return reason;
}

function childEnvironment(
  options: RunOptions,
  services: Services,
  leftAlone: LeftAlone | undefined,
): Record<string, string> {
  const proxy = new URL(services.url).origin;
  const { token } = services;
  return {
    ...(leftAlone === undefined
      ? {}
      : interceptingEnvironment(
          { proxy, token, allowRemote: options.allowRemote === true, tally: leftAlone.path },
          process.env,
        )),
    MCP_CHAOS_URL: services.url,
    MCP_CHAOS_SEED: options.seed,
    MCP_CHAOS_PROFILE: options.profileName,
    MCP_CHAOS_CONTRACT: options.profile.contract,
    MCP_CHAOS_CONTROL: services.controlUrl,
  };
}

function runStarted(options: RunOptions): RunStarted {
  return {
    kind: 'run-started',
    format: 1,
    version,
    seed: options.seed,
    profile: options.profileName,
    contract: options.profile.contract,
    options: {
      deadlineMs: options.deadlineMs,
      ...(options.clientTimeoutMs === undefined ? {} : { clientTimeoutMs: options.clientTimeoutMs }),
      ...policyFact(options.policy),
    },
    command: maskArguments(options.command, process.env),
    ...(options.flags === undefined || options.flags.length === 0
      ? {}
      : { flags: maskArguments(options.flags, process.env) }),
    rules: rulesOf(options).map((rule) => ({ fault: rule.fault, control: isControlRule(rule) })),
    upstreams: [upstreamName(options)],
    startedAt: new Date().toISOString(),
  };
}

/** What could act at all: the faults of a managed upstream only where there is one. */
function rulesOf({ profile, upstreamCommand }: RunOptions): Profile['rules'] {
  const managed = upstreamCommand !== undefined;
  return profile.rules.filter(({ when }) => (when.managed ?? managed) === managed);
}

/** Left out where nothing was asked for. */
function policyFact(policy: PolicyOptions = {}): Pick<RunStarted['options'], 'policy'> {
  if (Object.keys(policy).length === 0) return {};
  const { expected, ...rest } = policy;
  return {
    policy: {
      ...rest,
      ...(expected === undefined ? {} : { expected: expected.map((entry) => ({ ...entry })) }),
    },
  };
}

function notMcp(options: RunOptions, instead: string): ChaosError {
  const { upstream, upstreamCommand } = options;
  const where =
    upstreamCommand !== undefined
      ? `the upstream that --upstream-cmd started, at ${upstream?.pathname ?? upstreamCommand.path},`
      : upstream === undefined
        ? 'the embedded server'
        : `the upstream ${upstream.origin}${upstream.pathname}`;
  return new ChaosError('upstream-not-mcp', `${where} never answered as an MCP server: it said ${instead}`, {
    hint:
      upstreamName(options) === 'embedded'
        ? 'The client must connect to MCP_CHAOS_URL exactly as it is given.'
        : 'Check the path in --upstream or --upstream-path: it is the MCP endpoint itself, often /mcp.',
  });
}
