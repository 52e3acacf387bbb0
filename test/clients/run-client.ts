/** Runs one client program to its end and returns what it printed; it never outlives the test. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface ClientRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The line of JSON that it printed; undefined where it printed none. */
  readonly said: Said | undefined;
}

export interface Said {
  readonly client: string;
  readonly calls: readonly { readonly ok: boolean; readonly error?: string; readonly ms: number }[];
  readonly sessions: number;
  readonly resumes: number;
  readonly noticed: readonly string[];
}

/** @param program path below test/clients, e.g. `ward/deaf.mjs` */
export function runClient(
  program: string,
  env: Readonly<Record<string, string>>,
  timeoutMs = 20_000,
): Promise<ClientRun> {
  const path = fileURLToPath(new URL(program, import.meta.url));
  const [command, args] = program.endsWith('.py')
    ? ['python3', [path]]
    : program.endsWith('.sh')
      ? ['sh', [path]]
      : [process.execPath, [path]];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const line = stdout.split('\n').find((each) => each.startsWith('{'));
      resolve({ code, signal, stdout, stderr, said: line === undefined ? undefined : JSON.parse(line) });
    });
  });
}
