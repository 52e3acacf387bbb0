/** Ends and limits of real runs, as a user meets them: the message, the exit code, and a report that is whole. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliRun, runCli } from './harness/run-cli.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node = (script: string): readonly string[] => [process.execPath, '-e', script];
const calm = ['--profile', 'calm', '--seed', '1'];
const lastFact = (run: CliRun): Record<string, unknown> | undefined => run.journal.at(-1);

/** A web server that is no MCP server. */
async function website(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server: Server = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nothing here</h1>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

describe('a run that cannot be carried out leaves a whole report that says 64', () => {
  test.each<[string, readonly string[], RegExp]>([
    ['a command that does not exist', [...calm, '--', 'no-such-command'], /"no-such-command" was not found/],
    [
      'an upstream that is down',
      [...calm, '--upstream', 'http://127.0.0.1:9/mcp', '--', 'true'],
      /127\.0\.0\.1:9\/mcp cannot be reached: nothing listens there/,
    ],
    [
      'a remote upstream',
      [...calm, '--upstream', 'http://example.com/mcp', '--', 'true'],
      /example\.com[\s\S]*--allow-remote/,
    ],
    ['a remote address', [...calm, '--listen', '0.0.0.0:0', '--', 'true'], /0\.0\.0\.0[\s\S]*--allow-remote/],
  ])('%s', async (_what, args, message) => {
    const run = await runCli(args);
    expect(run.stderr).toMatch(message);
    expect(run.code).toBe(64);
    expect(run.report).toMatchObject({ exitCode: 64, findings: [] });
    expect(run.report!.notes.join('\n')).toMatch(new RegExp(message.source.split('[\\s\\S]')[0]!));
    expect(lastFact(run)).toMatchObject({ kind: 'run-ended', reason: 'failed' });
  });

  test('a port in use', async () => {
    const taken = await website();
    const run = await runCli([...calm, '--listen', new URL(taken.url).port, '--', 'true']);
    await taken.close();
    expect(run.stderr).toMatch(/port is in use[\s\S]*--listen/);
    expect(run.code).toBe(64);
    expect(run.report).toMatchObject({ exitCode: 64 });
  });

  test('an upstream that is no MCP server, once a client has asked it', async () => {
    const upstream = await website();
    const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
    const client = node(
      `fetch(process.env.MCP_CHAOS_URL, {method: 'POST', headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'}, body: ${JSON.stringify(initialize)}}).then(r => r.text())`,
    );
    const run = await runCli([...calm, '--upstream', upstream.url, '--', ...client]);
    await upstream.close();
    expect(run.stderr).toMatch(/never answered as an MCP server: it said 404 text\/html/);
    expect(run.code).toBe(64);
    expect(run.report).toMatchObject({ exitCode: 64 });
  });
});

describe('the command', () => {
  test('gets the address, the seed, the profile, the contract and the control address', async () => {
    const script = `const {MCP_CHAOS_URL: u, MCP_CHAOS_SEED: s, MCP_CHAOS_PROFILE: p, MCP_CHAOS_CONTRACT: c, MCP_CHAOS_CONTROL: m} = process.env;
      const [, placed, last] = process.argv;
      console.log(JSON.stringify({ same: u === placed && u === last, u, s, p, c, m }));`;
    const flags = ['--profile', 'reconnect', '--seed', 'a b', '--url-last'];
    const run = await runCli([...flags, '--', ...node(script), '{url}']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      same: true,
      u: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      s: 'a b',
      p: 'reconnect',
      c: 'monotonic:stream',
      m: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{20,}$/),
    });
  });

  test('has its stdout to itself, and its exit code under calm', async () => {
    const run = await runCli([
      ...calm,
      '--',
      ...node("process.stdout.write('mine'); process.stderr.write('too'); process.exit(5)"),
    ]);
    expect(run.stdout).toBe('mine');
    expect(run.stderr).toContain('too');
    expect(run.code).toBe(5);
    expect(run.report).toMatchObject({ exitCode: 5, suite: { code: 5, signal: null } });
  });

  test('that never connects was not exercised, and we say what we waited for', async () => {
    const run = await runCli(['--profile', 'desync', '--seed', '1', '--', ...node('')]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/MCP_CHAOS_URL/);
    expect(run.report).toMatchObject({ exitCode: 2, traffic: { requests: 0 } });
  });

  test('that never ends is ended by --timeout, deaf or not', async () => {
    const deaf = node("process.on('SIGTERM', () => process.exit(9)); setInterval(() => {}, 1000)");
    const run = await runCli(['--profile', 'desync', '--seed', '1', '--timeout', '1s', '--', ...deaf]);
    expect(lastFact(run)).toMatchObject({ kind: 'run-ended', reason: 'timeout' });
    expect(run.code).toBe(2);
    expect(run.durationMs).toBeLessThan(30_000);
    expect(run.report!.suite.code).toBe(9);
  });

  test('a secret among its arguments is not in the journal', async () => {
    const run = await runCli([...calm, '--', ...node(''), '--api-key', 'hunter2hunter2']);
    expect(run.journalText).not.toContain('hunter2');
    expect(run.journal[0]).toMatchObject({
      kind: 'run-started',
      command: expect.arrayContaining(['--api-key', '***']),
    });
  });
});

/** Calls `act` once the file is there: a signal before that would test Node and not us. */
function onceThere(file: string, act: () => void): void {
  const timer = setInterval(() => {
    if (!existsSync(file)) return;
    clearInterval(timer);
    act();
  }, 20);
}

describe('Ctrl+C', () => {
  const waiting = (
    name: string,
    onInterrupt: string,
  ): { readonly ready: string; readonly command: readonly string[] } => {
    const ready = join(folder, name);
    const script = `process.on('SIGINT', () => {${onInterrupt}}); require('fs').writeFileSync(${JSON.stringify(ready)}, ''); setInterval(() => {}, 1000)`;
    return { ready, command: ['--profile', 'desync', '--seed', '1', '--', ...node(script)] };
  };

  test('reaches the command, and leaves a whole report and exit code 130', async () => {
    const polite = waiting('polite', "console.log('bye'); process.exit(0)");
    const run = await runCli(polite.command, {
      onStart: ({ kill }) => onceThere(polite.ready, () => kill('SIGINT')),
    });
    expect(run.stdout).toBe('bye\n');
    expect(run.code).toBe(130);
    expect(run.report).toMatchObject({ exitCode: 130 });
    expect(lastFact(run)).toMatchObject({ kind: 'run-ended', reason: 'interrupted' });
  });

  test('a second time kills a command that does not listen', async () => {
    const deaf = waiting('deaf', '');
    const run = await runCli(deaf.command, {
      onStart: ({ kill }) =>
        onceThere(deaf.ready, () => {
          kill('SIGINT');
          setTimeout(() => kill('SIGINT'), 500);
        }),
    });
    expect(run.code).toBe(130);
    expect(run.report!.suite).toMatchObject({ code: null, signal: 'SIGKILL' });
  });

  test('ends a stand-alone proxy, which then prints its report', async () => {
    const journal = join(folder, 'proxy.ndjson');
    const free = await website();
    const { port } = new URL(free.url);
    await free.close();
    const args = ['proxy', ...calm, '--listen', port, '--journal', journal, '--report', 'json'];
    const run = await runCli(args, {
      bare: true,
      // Its control address comes after the proxy's; a moment later everything stands.
      onStart: ({ kill }) => onceListening(Number(port), () => setTimeout(() => kill('SIGINT'), 500)),
    });
    expect(run.stderr).toContain(`clients connect to   http://127.0.0.1:${port}/mcp`);
    expect(JSON.parse(run.stdout)).toMatchObject({ profile: 'calm', suite: { code: null } });
    expect(readFileSync(journal, 'utf8')).toMatch(/"kind":"run-ended","reason":"stopped"\}\n$/);
  });
});

function onceListening(port: number, act: () => void): void {
  const socket = connect(port, '127.0.0.1');
  socket.once('connect', () => {
    socket.destroy();
    act();
  });
  socket.once('error', () => setTimeout(() => onceListening(port, act), 50));
}

describe('a crash of ours', () => {
  test('ends the command, exits 70, blames nobody, and leaves a whole journal and report', async () => {
    const ready = join(folder, 'crash');
    const child = node(
      `require('fs').writeFileSync(${JSON.stringify(ready)}, ''); setInterval(() => {}, 1000)`,
    );
    const crash = `if (process.argv[1]?.endsWith('mcp-chaos.js')) {
      const {existsSync} = await import('node:fs');
      const timer = setInterval(() => { if (existsSync(${JSON.stringify(ready)})) { clearInterval(timer); throw new TypeError('ours'); } }, 20);
    }`;
    const run = await runCli(['--profile', 'desync', '--seed', '1', '--', ...child], {
      env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(crash)}` },
    });
    expect(run.code).toBe(70);
    expect(run.stderr).toMatch(/uncaught TypeError: ours[\s\S]*bug of mcp-chaos[\s\S]*journal/);
    expect(run.report).toMatchObject({ exitCode: 70, void: true, findings: [] });
    expect(run.journal.map(({ kind }) => kind)).toContain('internal-error');
    expect(lastFact(run)).toMatchObject({ kind: 'run-ended', reason: 'failed', error: { code: 'internal' } });
  });
});
