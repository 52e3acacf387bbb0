/** `mcp-chaos proxy` as a process of its own, for clients on raw sockets. */
import { spawn } from 'node:child_process';
import { launcher, root } from './run-cli.ts';

export interface ProxyProcess {
  readonly port: number;
  /** Ends it as Ctrl+C does; resolves with its exit code and everything it said. */
  stop(): Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export async function startProxyProcess(args: readonly string[]): Promise<ProxyProcess> {
  const child = spawn(process.execPath, [launcher, 'proxy', ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  const port = await new Promise<number>((resolve, reject) => {
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += bytes.toString('utf8');
      const found = /connect to\s+http:\/\/127\.0\.0\.1:(\d+)/.exec(stderr);
      if (found !== null) resolve(Number(found[1]));
    });
    void exited.then((code) => reject(new Error(`the proxy ended with ${code} before it stood:\n${stderr}`)));
  });
  return {
    port,
    async stop() {
      child.kill('SIGINT');
      return { code: await exited, stderr };
    },
  };
}
