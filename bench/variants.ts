/** What is compared with no relay at all: two relay libraries, a relay in C, and mcp-chaos with its recorder on. */

import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, numberIn, start } from './process.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A relay that runs: where the client goes, which process to weigh, what it has written to disk. */
export interface Relay {
  readonly url: string;
  readonly child: ChildProcess;
  readonly journalBytes: () => number | undefined;
  readonly clean: () => void;
}

export interface Variant {
  readonly name: string;
  /** Why it cannot run here; undefined where it can. */
  readonly missing: () => string | undefined;
  readonly launch: (originPort: number) => Promise<Relay>;
}

const nothing = { journalBytes: () => undefined, clean: () => {} };
const always = (): undefined => undefined;

export const variants: readonly Variant[] = [
  { name: 'http-proxy', missing: always, launch: (port) => library('http-proxy', port) },
  { name: 'httpxy', missing: always, launch: (port) => library('httpxy', port) },
  { name: 'nginx', missing: nginxMissing, launch: nginx },
  { name: 'mcp-chaos', missing: always, launch: mcpChaos },
];

async function library(name: string, originPort: number): Promise<Relay> {
  const { child, port } = await start(['node', here('relay.mjs'), name, String(originPort)]);
  return { url: `http://127.0.0.1:${port}/mcp`, child, ...nothing };
}

/** `calm`, with the recorder writing its journal to disk as in any run. */
async function mcpChaos(originPort: number): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-bench-'));
  const upstream = `http://127.0.0.1:${originPort}/mcp`;
  const journal = join(folder, 'run.ndjson');
  const { child, port } = await start(
    [
      'node',
      here('../bin/mcp-chaos.js'),
      'proxy',
      ...['--profile', 'calm', '--seed', '1', '--upstream', upstream, '--journal', journal],
    ],
    (output) => numberIn(/http:\/\/127\.0\.0\.1:(\d+)/, output.replaceAll(upstream, '')),
  );
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    child,
    journalBytes: () =>
      readdirSync(folder).reduce((total, name) => total + statSync(join(folder, name)).size, 0),
    clean: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function nginxMissing(): string | undefined {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'nginx is not installed (Debian: apt-get install nginx-light)';
  }
}

/** One worker, nothing buffered, everything it writes in a folder of its own. */
async function nginx(originPort: number): Promise<Relay> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-nginx-'));
  const port = await freePort();
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr warn;
events { worker_connections 2048; }
http {
  access_log off; ${scratch}
  upstream origin { server 127.0.0.1:${originPort}; keepalive 256; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_buffering off; proxy_read_timeout 600s;
    }
  }
}
`,
  );
  const child = launch(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')]);
  await listening(port, child);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    child,
    journalBytes: () => undefined,
    clean: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Waits until something accepts connections, at most five seconds. */
async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null)
      throw new Error(`ended with ${child.exitCode} before it listened on ${port}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing listens on ${port}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
