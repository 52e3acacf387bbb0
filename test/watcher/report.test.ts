/** The report as scripts rely on it: rows, counts, what lies outside, what makes it void. */
import { expect, describe as group, test } from 'vitest';
import { type ExpectedFailure, exitCode, failOnNames, failuresOf } from '../../src/watcher/policy.ts';
import type { Report } from '../../src/watcher/report.ts';
import { Story, type StoryOptions, stranger } from './story.ts';

/** One regression, unnoticed. */
function unnoticed(options: StoryOptions = {}): Story {
  const story = new Story({ clientTimeoutMs: 3000, ...options });
  const client = story.client().initialize();
  const call = client.call();
  const decision = call.preludeTo('regress-cursor', { to: 17 }, ['8411', '8412']);
  const leg = call.resume('8412', { decision, due: { ids: ['8413'], answers: true } });
  leg.show('17', stranger(1), decision);
  story.after(3000);
  client.cancel(call);
  return story;
}

group('decisions and faults', () => {
  test('a decision counts as applied once it did more than prepare', () => {
    const story = new Story({
      rules: [
        { fault: 'regress-cursor', control: false },
        { fault: 'drop-stream', control: true },
      ],
    });
    const client = story.client().initialize();
    const call = client.call();
    call.preludeTo('regress-cursor', {}, ['1']);
    const dropped = client.call('echo');
    dropped.droppedBy('drop-stream', {}, ['1000001']);
    const spare = client.call('spare').answer('2000001');
    const impossible = story.decide('restart-session', {}, spare.exchange);
    story.record({ kind: 'not-applicable', decision: impossible, why: 'upstream has no sessions' });
    const report = story.exit().judge();
    expect(report.decisions.map(({ fault, applied, why }) => ({ fault, applied, why }))).toEqual([
      { fault: 'regress-cursor', applied: false, why: undefined },
      { fault: 'drop-stream', applied: true, why: undefined },
      { fault: 'restart-session', applied: false, why: 'upstream has no sessions' },
    ]);
    expect(report.faults).toMatchObject([
      { fault: 'regress-cursor', control: false, armed: 1, applied: 0, outcomes: {} },
      { fault: 'drop-stream', control: true, armed: 1, applied: 1, outcomes: { undetermined: 1 } },
      { fault: 'restart-session', armed: 1, applied: 0 },
    ]);
    expect(report.coverage.faults).toEqual({ armed: 3, applied: 1 });
  });

  test('a decision says where it acts, on which channel, and under which revision', () => {
    const story = new Story();
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('drop-stream', {}, call.exchange);
    call.progress('1');
    story.apply(decision, { exchange: call.exchange, stream: call.stream, seam: 'frame' });
    const spare = client.call('spare').answer('2000001');
    story.decide('restart-session', {}, spare.exchange);
    expect(
      story
        .exit()
        .judge()
        .decisions.map(({ seam, channel, revision }) => ({ seam, channel, revision })),
    ).toEqual([
      { seam: 'frame', channel: 'POST', revision: '2025-11-25' },
      { seam: null, channel: 'POST', revision: '2025-11-25' },
    ]);
  });

  test('each finding says which ratio it counts for, and the ratios are made of these', () => {
    const { findings, coverage } = unnoticed().exit().judge();
    const missed = findings.filter(({ countsFor }) => countsFor === 'detection');
    expect(missed.map(({ fault, detected }) => ({ fault, detected }))).toEqual([
      { fault: 'regress-cursor', detected: false },
    ]);
    expect(coverage.detection).toEqual({ detected: 0, total: 1 });
    expect(coverage.falseAlarms.total).toBe(
      findings.filter(({ countsFor }) => countsFor === 'false-alarms').length,
    );
  });

  test('what no client could know is counted as undetectable and in no denominator', () => {
    const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'diverge-replay', control: false }] });
    const client = story.client().initialize();
    const call = client.call();
    const decision = call.preludeTo('diverge-replay', {}, ['1', '2']);
    const leg = call.resume('2', { decision, due: { ids: ['3'], answers: true } });
    leg.show('3', stranger(1), decision);
    story.after(3000);
    client.cancel(call);
    const report = story.exit().judge();
    expect(report.findings).toMatchObject([{ detectability: 'none', outcome: 'timed-out', verdict: 'moot' }]);
    expect(report.coverage.detection).toEqual({ detected: 0, total: 0 });
    expect(report.faults[0]).toMatchObject({ outcomes: {}, undetectable: 1 });
    expect(report.exitCode).toBe(0);
  });

  test('the digest is over decisions, not over what the client made of them', () => {
    const noticed = unnoticed();
    const other = unnoticed();
    other.client().initialize();
    expect(other.judge().decisionsDigest).toBe(noticed.judge().decisionsDigest);
    expect(noticed.judge().decisionsDigest).toMatch(/^[0-9a-f]+$/);
  });
});

group('traffic', () => {
  test('the stateless family and what is not MCP are counted as outside, and never a pass', () => {
    const story = new Story();
    const client = story.client();
    story.record({
      kind: 'request',
      exchange: story.nextExchange(),
      connection: 1,
      upstream: 'embedded',
      scope: '',
      lane: '',
      verb: 'GET',
      path: '/health',
      headers: {},
      mcp: false,
    });
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'count', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    };
    const exchange = client.post(body);
    client.head(exchange, 200, 'text/event-stream');
    client.end(exchange, 'reset', 'upstream', 'both');
    const report = story.exit().judge();
    expect(report.findings).toEqual([]);
    expect(report.traffic).toMatchObject({
      requests: 2,
      sessions: 0,
      streams: 0,
      outside: [
        { what: 'not MCP', count: 1 },
        { what: 'stateless family (2026-07-28 and later): no session, no resumption', count: 1 },
      ],
    });
    expect(report.exitCode).toBe(2);
  });

  test('sessions and streams are counted once', () => {
    const story = new Story();
    const client = story.client().initialize();
    client.listen();
    client.call().answer('1');
    story.client({ scope: 'b' }).initialize();
    expect(story.exit().judge().traffic).toMatchObject({ sessions: 2, streams: 2, outside: [] });
  });
});

group('an error of ours', () => {
  test('makes what it touched undetermined, and the run void', () => {
    const story = unnoticed();
    story.record({ kind: 'internal-error', exchange: 3, where: 'pump', message: 'Error: oops\n  at pump' });
    const report = story.exit().judge();
    expect(report.findings).toMatchObject([
      { outcome: 'undetermined', verdict: 'undetermined', detected: null },
    ]);
    expect(report.findings[0]!.message.did).toContain('internal error of mcp-chaos');
    expect(report).toMatchObject({ void: true, exitCode: 3 });
    expect(report.notes[0]).toContain('pump: Error: oops');
  });

  test('leaves alone what it did not touch', () => {
    const story = unnoticed();
    story.record({ kind: 'internal-error', exchange: 999, where: 'pump', message: 'oops' });
    const report = story.exit().judge();
    expect(report.findings).toMatchObject([{ outcome: 'timed-out', verdict: 'violated' }]);
    expect(report).toMatchObject({ void: true, exitCode: 3 });
  });

  test('that cannot be placed touches everything', () => {
    const story = unnoticed();
    story.record({ kind: 'internal-error', where: 'journal', message: 'disk full' });
    expect(story.exit().judge().findings).toMatchObject([{ verdict: 'undetermined' }]);
  });
});

group('the line that reproduces a finding', () => {
  test('names profile, seed, flags, decision and command', () => {
    const story = unnoticed({ command: ['npm', 'test', '--', 'a b', "it's"] });
    const [finding] = story.exit().judge().findings;
    expect(finding!.reproduce).toBe(
      `mcp-chaos --profile desync --seed 42 --only ${finding!.decision} -- npm test -- 'a b' 'it'\\''s'`,
    );
  });

  test('names the proxy where there was no command', () => {
    const [finding] = unnoticed({ command: [] }).exit().judge().findings;
    expect(finding!.reproduce).toBe(`mcp-chaos proxy --profile desync --seed 42 --only ${finding!.decision}`);
  });
});

group('the exit code', () => {
  const failing = (): Report => unnoticed().exit(0).judge();
  const calm = (code: number | null, signal: string | null = null): Report => {
    const story = new Story({ rules: [] });
    story.client().initialize().call().answer('1');
    return story.exit(code, signal).judge();
  };

  test('is 1 where something went unnoticed, and 0 where nothing did', () => {
    expect(failing().exitCode).toBe(1);
    const { facts } = unnoticed();
    expect(facts.length).toBeGreaterThan(10);
  });

  test('is 2 where no decision was applied', () => {
    const story = new Story();
    story.client().initialize().call().answer('1');
    story.decide('regress-cursor');
    expect(story.exit().judge().exitCode).toBe(2);
  });

  test('is 0 where a client left at the first sign of a fault that had more to do', () => {
    const story = new Story({ clientTimeoutMs: 3000, rules: [{ fault: 'wrap-ids', control: false }] });
    const client = story.client().initialize();
    const call = client.call();
    const decision = story.decide('wrap-ids', {}, call.exchange);
    story.apply(decision, { exchange: call.exchange, stream: call.stream, prelude: true });
    call.show('1', call.progressMessage(1), decision);
    call.show('0', call.progressMessage(2), decision);
    story.after(5);
    call.abort();
    client.initialize();
    const report = story.exit().judge();
    expect(report.findings).toMatchObject([{ outcome: 'reset', verdict: 'held' }]);
    expect(report.exitCode).toBe(0);
  });

  test("is the child's own under a profile without rules", () => {
    expect(calm(0).exitCode).toBe(0);
    expect(calm(7).exitCode).toBe(7);
    expect(calm(null, 'SIGTERM').exitCode).toBe(143);
  });

  test('is 1 for a failed suite only where that is asked for', () => {
    const story = new Story();
    const client = story.client().initialize();
    const call = client.call();
    call.droppedBy('drop-stream', {}, ['1']);
    const leg = call.resume('1', { due: { ids: ['2'], answers: true } });
    call.upstream(call.answerMessage());
    leg.show('2', call.answerMessage());
    leg.complete();
    const report = story.exit(1).judge();
    expect(report.exitCode).toBe(0);
    expect(exitCode(report, { suiteExit: true })).toBe(1);
  });

  test('follows --fail-on for levels, obligations, outcomes, flags and undetermined', () => {
    const story = new Story({ clientTimeoutMs: 3000 });
    const client = story.client().initialize();
    const call = client.call();
    call.droppedBy('regress-cursor', {}, ['8411']);
    const report = story.exit().judge();
    expect(report.findings).toMatchObject([{ verdict: 'undetermined' }]);
    expect(exitCode(report)).toBe(0);
    expect(exitCode(report, { failOn: ['undetermined'] })).toBe(1);
    expect(exitCode(report, { failOn: ['MUST'] })).toBe(0);
    expect(exitCode(failing(), { failOn: ['timed-out'] })).toBe(1);
    expect(failOnNames).toEqual(
      expect.arrayContaining(['CONTRACT', 'keeps-cursor', 'hung', 'storm', 'undetermined']),
    );
  });

  test('follows --min-detection', () => {
    expect(failuresOf(failing(), { minDetection: 0.5 }).detection).toBe(0);
    expect(failuresOf(calm(0), { minDetection: 1 }).detection).toBeUndefined();
    expect(exitCode(calm(0), { minDetection: 1 })).toBe(0);
  });

  test('lets expected failures pass, and fails on entries that nothing matches any more', () => {
    const known: ExpectedFailure = {
      obligation: 'validates-resumed-cursor',
      fault: 'regress-cursor',
      tool: 'count',
    };
    expect(exitCode(failing(), { expected: [known] })).toBe(0);
    expect(exitCode(failing(), { expected: [{ ...known, tool: 'echo' }] })).toBe(1);
    const stale = { obligation: 'keeps-cursor' };
    expect(failuresOf(failing(), { expected: [known, stale] }).stale).toEqual([stale]);
    expect(exitCode(failing(), { expected: [known, stale] })).toBe(1);
  });
});

test('notes say what weakens the run', () => {
  const story = new Story();
  for (const events of [1, 2, 4]) {
    story.record({ kind: 'store-evicted', lane: 's1', stream: 'stream-1', events, bytes: events * 100 });
  }
  story.record({ kind: 'not-deterministic', scope: '', why: 'two clients overlapped' });
  story.record({ kind: 'rewritten', exchange: 1, what: 'WWW-Authenticate' });
  expect(story.exit().judge().notes).toEqual([
    'the replay store reached its bound: 4 events of lane s1 are gone',
    'the default scope does not promise the same decisions for the same seed: two clients overlapped',
    'WWW-Authenticate was made to name the proxy',
  ]);
});
