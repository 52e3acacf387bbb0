/**
 * The order of keys in JSON, so that two reports can be compared as text: the contract's order for what
 * it names, the alphabet for what a fault or a run names (parameters, counts by outcome).
 */
import { type FaultRow, type Finding, outcomesWorstFirst, type Report } from '../watcher/report.ts';

export function inOrder(report: Report): Report {
  return {
    schemaVersion: report.schemaVersion,
    version: report.version,
    seed: report.seed,
    profile: report.profile,
    contract: report.contract,
    decisionsDigest: report.decisionsDigest,
    exitCode: report.exitCode,
    void: report.void,
    coverage: {
      detection: { detected: report.coverage.detection.detected, total: report.coverage.detection.total },
      falseAlarms: { count: report.coverage.falseAlarms.count, total: report.coverage.falseAlarms.total },
      faults: { armed: report.coverage.faults.armed, applied: report.coverage.faults.applied },
    },
    suite: { code: report.suite.code, signal: report.suite.signal, durationMs: report.suite.durationMs },
    traffic: {
      requests: report.traffic.requests,
      sessions: report.traffic.sessions,
      streams: report.traffic.streams,
      outside: report.traffic.outside.map(({ what, count }) => ({ what, count })),
    },
    notes: report.notes,
    faults: report.faults.map(faultRow),
    decisions: report.decisions.map((decision) => ({
      id: decision.id,
      fault: decision.fault,
      site: decision.site,
      params: alphabetical(decision.params) as Readonly<Record<string, unknown>>,
      seam: decision.seam,
      channel: decision.channel,
      revision: decision.revision,
      applied: decision.applied,
      ...(decision.why === undefined ? {} : { why: decision.why }),
      ...(decision.by === undefined ? {} : { by: decision.by }),
    })),
    findings: report.findings.map(findingInOrder),
  };
}

function faultRow(row: FaultRow): FaultRow {
  const outcomes = Object.fromEntries(
    outcomesWorstFirst
      .filter((outcome) => row.outcomes[outcome] !== undefined)
      .map((outcome) => [outcome, row.outcomes[outcome]]),
  );
  return {
    fault: row.fault,
    control: row.control,
    armed: row.armed,
    applied: row.applied,
    outcomes,
    undetectable: row.undetectable,
  };
}

function findingInOrder(finding: Finding): Finding {
  const { request } = finding;
  return {
    id: finding.id,
    obligation: finding.obligation,
    level: finding.level,
    fault: finding.fault,
    decision: finding.decision,
    revision: finding.revision,
    upstream: finding.upstream,
    scope: finding.scope,
    session: finding.session,
    request:
      request === null
        ? null
        : { id: request.id, method: request.method, tool: request.tool, exchange: request.exchange },
    detectability: finding.detectability,
    outcome: finding.outcome,
    flags: finding.flags,
    detected: finding.detected,
    countsFor: finding.countsFor,
    verdict: finding.verdict,
    confidence: finding.confidence,
    latencyMs: finding.latencyMs,
    evidence: finding.evidence,
    message: { shown: finding.message.shown, did: finding.message.did },
    reproduce: finding.reproduce,
  };
}

function alphabetical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(alphabetical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, alphabetical(inner)]),
  );
}
