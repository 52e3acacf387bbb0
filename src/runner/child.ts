/**
 * The wrapped command, as a process group of its own whose stdin, stdout and stderr are ours, untouched.
 *
 * A test runner starts servers and workers and may die without them. The group is therefore ended as a
 * whole when the command exits, when we exit, and (by a guardian that waits for our end of a pipe to
 * close) when we are killed without warning. On Windows there are no process groups: the command alone
 * is ended.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { ChaosError } from '../errors.ts';

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Child {
  readonly exited: Promise<ChildExit>;
  /** For the channel, where `stdio` asked for one. */
  readonly handle: ChildProcess;
  /** Sends a signal to the whole group. */
  signal(signal: NodeJS.Signals): void;
  /** Ends what is left of the group: SIGTERM, then SIGKILL after `graceMs`. Resolves when it is gone or killed. */
  sweep(graceMs: number): Promise<void>;
}

const groups = process.platform !== 'win32';

/** Starts the command. Rejects with `command-not-found` where it cannot be started. */
export async function startChild(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  stdio: StdioOptions = 'inherit',
): Promise<Child> {
  const [file, ...args] = command;
  if (file === undefined) throw new ChaosError('usage', 'no command to run was given');
  const child = spawn(file, args, { stdio, env, detached: groups });
  const exited = new Promise<ChildExit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await started(child, command);

  const pid = child.pid!;
  enter(pid);
  const signal = (name: NodeJS.Signals): void => {
    signalGroup(pid, name);
  };

  return {
    exited,
    handle: child,
    signal,
    async sweep(graceMs) {
      if (signalGroup(pid, 'SIGTERM')) {
        const deadline = performance.now() + graceMs;
        while (signalGroup(pid, 0) && performance.now() < deadline)
          await new Promise((resolve) => setTimeout(resolve, 10));
        signal('SIGKILL');
      }
      leave(pid);
    },
  };
}

function started(child: ChildProcess, command: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve());
    child.once('error', (error: NodeJS.ErrnoException) => reject(cannotStart(error, command)));
  });
}

function cannotStart(error: NodeJS.ErrnoException, command: readonly string[]): ChaosError {
  const file = command[0]!;
  if (error.code === 'ENOENT') {
    const quoted = file.includes(' ');
    return new ChaosError('command-not-found', `the command "${file}" was not found`, {
      hint: quoted
        ? `The command must be separate words, not one quoted string: -- ${file}`
        : 'What follows -- is started as it is, without a shell. Check the spelling and PATH, or use: -- sh -c "…"',
      cause: error,
    });
  }
  return new ChaosError('command-not-found', `the command "${file}" cannot be started: ${error.message}`, {
    hint:
      error.code === 'EACCES'
        ? `Make it executable, or name its interpreter: -- node ${file}`
        : 'Try it without mcp-chaos first.',
    cause: error,
  });
}

/** True where there was somebody to signal. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(groups ? -pid : pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Groups that must not outlive us. */
const running = new Set<number>();
let guardian: ChildProcess | undefined;

function enter(group: number): void {
  if (running.size === 0) process.on('exit', killAll);
  running.add(group);
  tellGuardian();
}

function leave(group: number): void {
  if (!running.delete(group)) return;
  if (running.size === 0) process.off('exit', killAll);
  tellGuardian();
}

function killAll(): void {
  for (const group of running) signalGroup(group, 'SIGKILL');
}

function tellGuardian(): void {
  if (!groups) return;
  guardian ??= startGuardian();
  guardian.stdin?.write(`${[...running].join(' ')}\n`);
}

/** One for all groups: it reads which there are, until our end of its stdin closes, however we died. */
function startGuardian(): ChildProcess {
  const script =
    'while read -r line; do groups=$line; done; for group in $groups; do kill -s KILL -- "-$group"; done';
  const started = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const gone = (): void => {
    guardian = undefined;
  };
  started.once('error', gone);
  started.once('exit', gone);
  started.stdin.on('error', () => {});
  started.unref();
  (started.stdin as unknown as { unref(): void }).unref();
  return started;
}
