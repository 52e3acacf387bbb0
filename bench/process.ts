/** Child processes of the benchmark: started, asked for their port, measured, and ended by their own id. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface Started {
  readonly child: ChildProcess;
  readonly port: number;
}

const running = new Set<ChildProcess>();
// SIGTERM, because nginx takes its worker along on it and would not on SIGKILL.
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** Starts a program that prints a line with its port, and waits for that line. `portOf` reads it off the output. */
export function start(
  command: readonly string[],
  portOf: (output: string) => number | undefined = (output) => numberIn(/^port (\d+)$/m, output),
): Promise<Started> {
  const child = launch(command);
  return new Promise((resolve, reject) => {
    let output = '';
    const limit = setTimeout(() => fail('did not say its port within 15 s'), 15_000);
    const fail = (why: string): void => {
      clearTimeout(limit);
      child.kill('SIGKILL');
      reject(new Error(`${command.join(' ')}: ${why}\n${output.slice(-2000)}`));
    };
    const read = (data: Buffer): void => {
      output += data.toString();
      const port = portOf(output);
      if (port === undefined) return;
      clearTimeout(limit);
      resolve({ child, port });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(`ended (${signal ?? code})`));
  });
}

/** A child with all three streams piped; ours to end. */
export function launch(command: readonly string[]): ChildProcess {
  const [file, ...args] = command;
  const child = spawn(file!, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  // A child that is gone closes the pipe under us.
  child.stdin?.on('error', () => {});
  return child;
}

/** Asks first (the way that lets a journal be finished), insists after two seconds. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const insist = setTimeout(() => child.kill('SIGKILL'), 2000);
  await gone;
  clearTimeout(insist);
}

/** Resident memory in MB of a process and its children. */
export function residentMb(pid: number): number {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' });
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number]);
  return sum(rows.filter(([id, parent]) => id === pid || parent === pid).map(([, , rss]) => rss)) / 1024;
}

/** CPU seconds that a process and its children have used; undefined where there is no /proc. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean);
    return sum([String(pid), ...children].map(ticksOf)) / 100;
  } catch {
    return undefined;
  }
}

/** utime + stime, fields 14 and 15 of proc(5) stat, counted after the name, which may hold spaces. */
function ticksOf(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

export function numberIn(pattern: RegExp, text: string): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
