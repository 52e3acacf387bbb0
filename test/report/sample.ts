/** Literal reports: one of a run that went wrong in every way, one that is calm, one full of hostile text. */
import type { Finding, Report } from '../../src/watcher/report.ts';
import { finding as plainFinding } from '../watcher/finding.ts';

function finding(id: string, part: Partial<Finding>): Finding {
  return plainFinding({
    id,
    obligation: 'notices-cursor-regression',
    decision: `d-${id}`,
    session: '5f0c1a2b3c4d',
    request: { id: 7, method: 'tools/call', tool: 'count', exchange: 12 },
    latencyMs: 6004.5,
    evidence: [40, 52, 61],
    message: {
      shown:
        'resumed with Last-Event-ID 8412 and was answered 200, then id 17: the counter had restarted, and the rest of the answer never came.',
      did: 'nothing; its own timeout ended the call after 6.0 s.',
    },
    reproduce: `mcp-chaos --profile desync --seed 42 --only d-${id} -- npm test`,
    ...part,
  });
}

export const broken: Report = {
  schemaVersion: 1,
  version: '0.1.0',
  seed: '42',
  profile: 'desync',
  contract: 'monotonic:stream',
  decisionsDigest: '3f9a2c5be01d7742aa10',
  decisions: [
    {
      id: 'd-a1',
      fault: 'regress-cursor',
      site: 'embedded/main/s1/tools%2Fcall/count/e3/1',
      params: { to: 17, after: 2 },
      seam: 'resume',
      channel: 'POST',
      revision: '2025-11-25',
      applied: true,
    },
    {
      id: 'd-z9',
      fault: 'wrap-ids',
      site: 'embedded/main/s1/tools%2Fcall/count/e3/2',
      params: {},
      seam: 'resume',
      channel: 'POST',
      revision: '2025-11-25',
      applied: false,
      why: 'the stream ended first',
    },
  ],
  findings: [
    finding('a1', {}),
    finding('b2', {
      fault: 'skip-events',
      obligation: 'notices-gap',
      outcome: 'accepted',
      flags: ['adopted-cursor', 'duplicate-effect'],
      confidence: 'inferred',
      scope: 'orders.test.ts',
      request: { id: 'call-9', method: 'tools/call', tool: 'charge', exchange: 20 },
      message: { shown: 'ids 4, then 9.', did: 'went on as if nothing were missing.' },
      evidence: [12, 30],
    }),
    finding('c3', {
      fault: 'expire-session',
      obligation: 'reinitialises-after-404',
      level: 'MUST',
      outcome: 'recovered',
      detected: true,
      verdict: 'held',
      latencyMs: 12,
    }),
    finding('d4', {
      fault: 'drop-stream',
      obligation: 'survives-clean-drop',
      level: 'CONTROL',
      outcome: 'overreacted',
      countsFor: 'false-alarms',
      request: null,
      message: { shown: 'a clean end after an id.', did: 'ended its healthy session.' },
    }),
    finding('e5', {
      fault: 'swallow-replay',
      outcome: 'undetermined',
      detected: null,
      countsFor: null,
      verdict: 'undetermined',
      latencyMs: null,
      message: { shown: 'silence after a 200.', did: 'the run ended before the deadline could pass.' },
      evidence: [70],
    }),
  ],
  faults: [
    { fault: 'wrap-ids', control: false, armed: 0, applied: 0, outcomes: {}, undetectable: 0 },
    { fault: 'cut-mid-event', control: true, armed: 0, applied: 0, outcomes: {}, undetectable: 0 },
    {
      fault: 'expire-session',
      control: false,
      armed: 1,
      applied: 1,
      outcomes: { recovered: 1 },
      undetectable: 0,
    },
    {
      fault: 'regress-cursor',
      control: false,
      armed: 3,
      applied: 3,
      outcomes: { 'timed-out': 2, surfaced: 1 },
      undetectable: 0,
    },
    { fault: 'replay-foreign-stream', control: false, armed: 1, applied: 0, outcomes: {}, undetectable: 0 },
    {
      fault: 'skip-events',
      control: false,
      armed: 12,
      applied: 12,
      outcomes: { accepted: 10, crashed: 1, hung: 1 },
      undetectable: 0,
    },
    {
      fault: 'swallow-replay',
      control: false,
      armed: 2,
      applied: 1,
      outcomes: { undetermined: 1 },
      undetectable: 1,
    },
    {
      fault: 'drop-stream',
      control: true,
      armed: 4,
      applied: 4,
      outcomes: { recovered: 3, overreacted: 1 },
      undetectable: 0,
    },
  ],
  coverage: {
    detection: { detected: 2, total: 16 },
    falseAlarms: { count: 1, total: 4 },
    faults: { armed: 23, applied: 21 },
  },
  traffic: {
    requests: 61,
    sessions: 1,
    streams: 24,
    outside: [{ what: '2026-07-28 exchanges (no session, no event ids)', count: 2 }],
  },
  suite: { code: 1, signal: null, durationMs: 18250 },
  notes: ['The replay store of lane s1 reached its bound of 1000 events; 12 events were evicted.'],
  void: false,
  exitCode: 1,
};

export const calm: Report = {
  ...broken,
  profile: 'calm',
  decisions: [],
  findings: [],
  faults: [],
  coverage: {
    detection: { detected: 0, total: 0 },
    falseAlarms: { count: 0, total: 0 },
    faults: { armed: 0, applied: 0 },
  },
  traffic: { requests: 1, sessions: 1, streams: 1, outside: [] },
  suite: { code: 0, signal: null, durationMs: 900 },
  notes: [],
  exitCode: 0,
};

/** What a hostile server could make a tool name, an id or a message say. */
export const hostileText =
  '\u001b[2J\u001b]0;owned\u0007 \u009b31m \u202egnp.exe\r\n::error::fake\n</script><script>alert(1)</script> ]]> <!-- & " \' `|` \ud800 \u2028 %0A \uffff';

export const hostile: Report = {
  ...broken,
  seed: hostileText,
  profile: hostileText,
  notes: [hostileText],
  decisions: [
    {
      id: hostileText,
      fault: 'regress-cursor',
      site: hostileText,
      params: { b: hostileText, a: 1 },
      seam: 'resume',
      channel: 'POST',
      revision: '2025-11-25',
      applied: true,
    },
  ],
  findings: [
    finding(hostileText, {
      fault: hostileText,
      obligation: hostileText,
      scope: hostileText,
      request: { id: hostileText, method: hostileText, tool: hostileText, exchange: 1 },
      message: { shown: hostileText, did: hostileText },
      reproduce: hostileText,
    }),
    finding('u', {
      verdict: 'undetermined',
      outcome: 'undetermined',
      message: { shown: hostileText, did: hostileText },
    }),
  ],
  faults: [
    {
      fault: hostileText,
      control: false,
      armed: 1,
      applied: 1,
      outcomes: { 'timed-out': 1 },
      undetectable: 0,
    },
  ],
  traffic: { ...broken.traffic, outside: [{ what: hostileText, count: 1 }] },
  suite: { code: null, signal: hostileText, durationMs: null },
};
