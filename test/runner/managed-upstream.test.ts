/** A server process of ours, with real processes and real sockets. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChaosError } from '../../src/errors.ts';
import type { FactBody } from '../../src/history/fact.ts';
import { openUpstream } from '../../src/proxy/upstream-link.ts';
import { type ManagedUpstream, startManagedUpstream } from '../../src/runner/managed-upstream.ts';

let folder: string;
let facts: FactBody[];
let open: ManagedUpstream[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-managed-'));
  facts = [];
  open = [];
});
afterEach(async () => {
  for (const upstream of open) await upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Answers with its pid and how it was told its port; says so at the start. */
const server = `
  const [port] = process.argv.slice(2);
  console.log('hello from ' + process.pid);
  require('node:http')
    .createServer((request, response) => {
      if (request.url === '/die') process.exit(4);
      response.end([process.pid, port, process.env.PORT].join(' '));
    })
    .listen(Number(port), '127.0.0.1');`;

function script(source: string): string {
  // A space in the path: the words of a command can be quoted.
  const path = join(folder, 'a server.cjs');
  writeFileSync(path, source);
  return `"${process.execPath}" '${path}' {port}`;
}

async function start(source: string, startMs?: number): Promise<ManagedUpstream> {
  const upstream = await startManagedUpstream({
    name: 'upstream',
    command: script(source),
    path: '/mcp',
    logPath: join(folder, 'upstream.log'),
    record: (body) => facts.push(body),
    ...(startMs === undefined ? {} : { startMs }),
  });
  open.push(upstream);
  return upstream;
}

/** As the proxy asks: over a connection that waits for a restart that is under way. */
function ask(upstream: ManagedUpstream, path = '/'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = openUpstream(
      { name: 'upstream', url: upstream.url, process: upstream },
      { verb: 'GET', path, headers: [], body: new Uint8Array() },
    );
    asked.on('error', reject);
    asked.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve(text));
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(
      existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '',
    );
  } catch {
    return false;
  }
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`not within 10 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const states = (): readonly string[] =>
  facts.map((fact) => (fact.kind === 'upstream-process' ? fact.state : fact.kind));

describe('a managed upstream', () => {
  test('is told its port by its command and its environment, and what it says is kept', async () => {
    const upstream = await start(server);
    const [pid, byWord, byEnvironment] = (await ask(upstream)).split(' ');
    expect([byWord, byEnvironment]).toEqual([upstream.url.port, upstream.url.port]);
    expect(upstream.url.pathname).toBe('/mcp');
    expect(readFileSync(join(folder, 'upstream.log'), 'utf8')).toBe(`hello from ${pid}\n`);
    expect(states()).toEqual(['started']);
  });

  test('is another process on the same port after a restart, for which requests wait', async () => {
    const upstream = await start(server);
    const [before] = (await ask(upstream)).split(' ');
    const { port } = upstream.url;
    await upstream.restart('SIGTERM', 0);
    expect(isAlive(Number(before))).toBe(false);
    const [after] = (await ask(upstream)).split(' ');
    expect(after).not.toBe(before);
    expect(upstream.url.port).toBe(port);
    expect(states()).toEqual(['started', 'started']);
  });

  test('nobody is there while it is down, and a new process after that', async () => {
    const upstream = await start(server);
    await upstream.restart('SIGKILL', 300);
    await expect(ask(upstream)).rejects.toThrow('ECONNREFUSED');
    await until(() => states().length === 2, 'a second process that answers');
    await expect(ask(upstream)).resolves.toContain(upstream.url.port);
  });

  test('two restarts at once come one after the other', async () => {
    const upstream = await start(server);
    await Promise.all([upstream.restart('SIGKILL', 0), upstream.restart('SIGTERM', 0)]);
    await ask(upstream);
    expect(states()).toEqual(['started', 'started', 'started']);
  });

  test('that ends by itself is written down, with how', async () => {
    const upstream = await start(server);
    await ask(upstream, '/die').catch(() => {});
    await until(() => facts.length === 2, 'a fact about its end');
    expect(facts[1]).toEqual({
      kind: 'upstream-process',
      upstream: 'upstream',
      state: 'ended',
      why: 'exit code 4',
    });
  });

  test('that does not come up again is written down, and requests no longer wait', async () => {
    const upstream = await start(
      `const fs = require('node:fs'); const flag = ${JSON.stringify(join(folder, 'once'))};
       if (fs.existsSync(flag)) { console.error('no second time'); process.exit(5); }
       fs.writeFileSync(flag, ''); ${server}`,
    );
    await upstream.restart('SIGTERM', 0);
    await expect(ask(upstream)).rejects.toThrow('ECONNREFUSED');
    expect(facts[1]).toMatchObject({
      state: 'failed',
      why: expect.stringContaining('it ended (exit code 5)'),
    });
  });

  test('goes with what it started when it is closed', async () => {
    const upstream = await start(
      `const child = require('node:child_process').spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'ignore' });
       console.log('child ' + child.pid); ${server}`,
    );
    const pid = Number(/child (\d+)/.exec(readFileSync(join(folder, 'upstream.log'), 'utf8'))![1]);
    expect(isAlive(pid)).toBe(true);
    await upstream.close();
    await until(() => !isAlive(pid), 'the end of its child');
    expect(states()).toEqual(['started']);
  });
});

describe('a command that does not come up says why', () => {
  const failure = async (source: string, startMs?: number): Promise<ChaosError> =>
    start(source, startMs).then(
      () => {
        throw new Error('it came up');
      },
      (error) => error,
    );

  test('it ended: how, and the end of what it wrote', async () => {
    const error = await failure(`console.error('cannot find the database'); process.exit(3);`);
    expect(error.code).toBe('upstream-unreachable');
    expect(error.message).toContain('it ended (exit code 3)');
    expect(error.hint).toContain('cannot find the database');
  });

  test('it listens somewhere else: how long was waited', async () => {
    const error = await failure('setInterval(() => {}, 1000)', 300);
    expect(error.message).toContain('it did not answer within 300 ms');
    expect(error.hint).toContain('{port}');
  });

  test('there is no such command, or none at all', async () => {
    const of = (command: string): Promise<ManagedUpstream> =>
      startManagedUpstream({
        name: 'upstream',
        command,
        path: '/mcp',
        logPath: join(folder, 'upstream.log'),
        record: () => 0,
      });
    await expect(of('no-such-command-anywhere')).rejects.toMatchObject({
      code: 'command-not-found',
      message: '--upstream-cmd: the command "no-such-command-anywhere" was not found',
    });
    await expect(of('  ')).rejects.toMatchObject({ code: 'usage' });
  });
});
