/**
 * An upstream that the run starts, ends and starts again, from the command line to the bytes on raw sockets and to
 * the report. Its sessions are gone in truth: what the new process says to their ids is what the client is shown.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fact } from '../../src/history/fact.ts';
import type { Finding, Report } from '../../src/watcher/report.ts';
import { type ProxyProcess, startProxyProcess } from './harness/proxy-process.ts';
import type { RawExchange } from './harness/raw-http.ts';
import { askMcp, beginSession, whole } from './harness/raw-mcp.ts';
import { launcher, root, runCli } from './harness/run-cli.ts';

const server = `"${process.execPath}" test/e2e/fixtures/small-server.mjs {port}`;

let folder: string;
let proxy: ProxyProcess;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-managed-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string): string => join(folder, name);

/** Each fault at the second call of every session of its scope. */
const rules = [
  ['mid-call', 'restart-upstream', {}],
  ['request', 'restart-upstream', { at: 'request' }],
  ['culprit', 'restart-upstream', {}],
  ['crash', 'kill-upstream', { downMs: 1500, how: 'reset' }],
].map(([scope, fault, params]) => ({
  fault,
  params: { after: 2, ...(params as object) },
  when: { method: 'tools/call', scope },
  nth: 2,
}));

async function start(...args: readonly string[]): Promise<void> {
  writeFileSync(
    path('profile.yaml'),
    // JSON is YAML.
    JSON.stringify({ name: 'x', description: 'x', contract: 'monotonic:stream', sessionFaults: 1, rules }),
  );
  proxy = await startProxyProcess([
    ...['--profile', path('profile.yaml'), '--seed', '1', '--deadline', '500'],
    ...['--journal', path('journal.ndjson'), '--report', `json=${path('report.json')}`],
    ...args,
  ]);
}

async function end(): Promise<{ readonly report: Report; readonly journal: readonly Fact[] }> {
  await proxy.stop();
  const lines = readFileSync(path('journal.ndjson'), 'utf8').trimEnd().split('\n');
  return {
    report: JSON.parse(readFileSync(path('report.json'), 'utf8')),
    journal: lines.map((line) => JSON.parse(line)),
  };
}

class Client {
  private readonly scope: string;
  session = '';

  constructor(scope: string) {
    this.scope = scope;
  }

  async initialize(): Promise<this> {
    this.session = await beginSession(proxy.port, this.scope);
    return this;
  }

  call(name = 'count', id = 1, args = {}): RawExchange {
    return this.ask({ message: { id, method: 'tools/call', params: { name, arguments: args } } });
  }

  /** The status that a resumption after this id is answered with. */
  async resume(cursor: string): Promise<number> {
    const exchange = this.ask({ cursor });
    await exchange.until(({ status, body }) => status() !== 0 && body().whole);
    const status = exchange.status();
    exchange.close();
    return status;
  }

  private ask(request: { readonly cursor: string } | { readonly message: object }): RawExchange {
    return askMcp({ port: proxy.port, scope: this.scope, session: this.session, ...request });
  }
}

/** The pid of the process that answered. */
async function answerOf(call: RawExchange): Promise<string> {
  await whole(call);
  const pid = /"text":"(\d+)"/.exec(call.body().bytes.toString('utf8'))![1]!;
  call.close();
  return pid;
}

const ids = (call: RawExchange): readonly string[] =>
  [
    ...call
      .body()
      .bytes.toString('utf8')
      .matchAll(/^id: ?(.*)$/gm),
  ].map(([, id]) => id!);

describe('a managed upstream', () => {
  let finished: { readonly report: Report; readonly journal: readonly Fact[] };
  beforeAll(() => start('--upstream-cmd', server));
  afterAll(async () => void (await proxy.stop()));

  const pids: string[] = [];

  it('restarted in mid-call: the new process answers 404 to the old id and takes a new session', async () => {
    const client = await new Client('mid-call').initialize();
    pids.push(await answerOf(client.call()));
    const broken = client.call('count', 2);
    expect(await broken.ending()).toBe('fin');
    expect(ids(broken)).toEqual(['2000001', '2000002']);
    // Asked for while the new process starts: it waits, and meets the truth.
    expect(await client.resume('2000002')).toBe(404);
    await client.initialize();
    pids.push(await answerOf(client.call('count', 3)));
    expect(pids[1]).not.toBe(pids[0]);
  });

  it('restarted before a call: the call itself is answered 404', async () => {
    const client = await new Client('request').initialize();
    await answerOf(client.call());
    const refused = client.call('count', 2);
    await whole(refused);
    expect(refused.status()).toBe(404);
    refused.close();
  });

  it('killed: nobody is at the port for a while', async () => {
    const client = await new Client('crash').initialize();
    const before = await answerOf(client.call());
    const broken = client.call('count', 2);
    expect(await broken.ending()).not.toBe('open');
    let status = await client.resume('2000002');
    expect(status).toBe(502);
    while (status === 502) {
      // A second: whoever asks oftener than a slow machine starts a process is rightly blamed for it.
      await new Promise((done) => setTimeout(done, 1000));
      status = await client.resume('2000002');
    }
    expect(status).toBe(404);
    await client.initialize();
    expect(await answerOf(client.call('count', 3))).not.toBe(before);
  });

  it('ends for all its clients', async () => {
    const culprit = await new Client('culprit').initialize();
    const bystander = await new Client('bystander').initialize();
    await answerOf((await new Client('finished').initialize()).call());
    const held = bystander.call('hold');
    await held.until(({ body }) => body().bytes.length > 0);
    await answerOf(culprit.call());
    const broken = culprit.call('count', 2);
    expect(await held.ending()).not.toBe('open');
    broken.close();
    expect(await bystander.resume('1000001')).toBe(404);
    await bystander.initialize();
  });

  it('may end by itself', async () => {
    const client = await new Client('sabotage').initialize();
    await client.call('die').ending();
    const later = client.call('count', 2);
    await whole(later);
    expect(later.status()).toBe(502);
    later.close();
  });

  describe('in the journal and the report', () => {
    beforeAll(async () => {
      finished = await end();
    });
    const findingsOf = (scope: string): readonly Finding[] =>
      finished.report.findings.filter((finding) => finding.scope === scope);

    it('every start and every end is written down, and what the processes said is kept', () => {
      const states = finished.journal.flatMap((fact) =>
        fact.kind === 'upstream-process' ? [fact.state] : [],
      );
      const restarted = ['stopping', 'started'];
      expect(states).toEqual(['started', ...restarted, ...restarted, ...restarted, ...restarted, 'ended']);
      const log = readFileSync(path('journal.upstream.log'), 'utf8');
      for (const pid of pids) expect(log).toContain(`pid ${pid} `);
    });

    it('each fault was applied, and the client that began anew did what it must', () => {
      expect(finished.report.decisions.map(({ fault, applied }) => [fault, applied])).toEqual([
        ['restart-upstream', true],
        ['restart-upstream', true],
        ['kill-upstream', true],
        ['restart-upstream', true],
      ]);
      for (const scope of ['mid-call', 'crash'])
        expect(
          findingsOf(scope).map(({ obligation, outcome, verdict }) => [obligation, outcome, verdict]),
          scope,
        ).toEqual([['reinitialises-after-404', 'recovered', 'held']]);
    });

    it("another client's findings name the fault that caused them, and its scope promises nothing", () => {
      const decision = finished.report.decisions.at(-1)!.id;
      expect(findingsOf('bystander').map((finding) => [finding.decision, finding.obligation])).toEqual([
        [decision, 'reinitialises-after-404'],
      ]);
      expect(findingsOf('finished')).toEqual([]);
      const vague = finished.journal.flatMap((fact) =>
        fact.kind === 'not-deterministic' ? [fact.scope] : [],
      );
      expect(vague).toEqual(['bystander']);
      expect(finished.report.notes.join()).toContain('scope bystander does not promise the same decisions');
    });

    it('the end that nobody asked for is said, and held against nobody', () => {
      expect(finished.report.notes.join()).toContain('ended by itself (exit code 9)');
      expect(findingsOf('sabotage').filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    });
  });
});

it('where the run did not start the upstream the faults are not applicable, and calls are left alone', async () => {
  await start();
  const client = await new Client('mid-call').initialize();
  for (const id of [1, 2]) {
    const call = client.call('echo', id, { message: 'x' });
    await whole(call);
    expect(call.status()).toBe(200);
    call.close();
  }
  const { report } = await end();
  expect(report.decisions).toMatchObject([
    { fault: 'restart-upstream', applied: false, why: expect.stringContaining('--upstream-cmd') },
  ]);
  expect(report.findings).toEqual([]);
});

it('rolling-restart ends the process where it can, and the run tells how to do it again', async () => {
  const run = await runCli(
    [
      ...['--profile', 'rolling-restart', '--seed', '4', '--upstream-cmd', server, '--'],
      ...[process.execPath, 'test/clients/ward/careful.mjs'],
    ],
    { env: { CALLS: '12' } },
  );
  const faults = new Set(run.report!.decisions.map(({ fault }) => fault));
  expect(faults.has('restart-session')).toBe(false);
  expect(faults.has('restart-upstream') || faults.has('kill-upstream')).toBe(true);
  expect(run.report!.findings[0]!.reproduce).toContain(`--upstream-cmd '${server}'`);
});

it('a run that is killed takes its upstream along', async () => {
  const child = spawn(
    process.execPath,
    [
      ...[launcher, 'proxy', '--profile', 'calm'],
      ...['--journal', path('journal.ndjson'), '--upstream-cmd', server],
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  await new Promise<void>((resolve) => {
    child.stderr.on('data', (text: Buffer) => {
      if (text.toString().includes('connect to')) resolve();
    });
  });
  const pid = Number(/pid (\d+)/.exec(readFileSync(path('journal.upstream.log'), 'utf8'))![1]);
  expect(existsSync(`/proc/${pid}`) || process.platform !== 'linux').toBe(true);
  child.kill('SIGKILL');
  const deadline = performance.now() + 10_000;
  while (isAlive(pid) && performance.now() < deadline) await new Promise((done) => setTimeout(done, 20));
  expect(isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const status = `/proc/${pid}/status`;
    return !(existsSync(status) && /^State:\s+Z/m.test(readFileSync(status, 'utf8')));
  } catch {
    return false;
  }
}
