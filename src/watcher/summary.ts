/** The report: findings put together, counted, and set beside what was armed and what was applied. */
import { faultNamed } from '../faults/index.ts';
import { decisionsDigest } from '../schedule/decisions-digest.ts';
import { isDetectable, type JudgedCase } from './findings.ts';
import type { Ledger } from './ledger/ledger.ts';
import { exitCode, isFalseAlarm } from './policy.ts';
import type { DecisionRow, FaultRow, Finding, Outcome, Report } from './report.ts';

export function summarise(ledger: Ledger, cases: readonly JudgedCase[]): Report {
  const { run } = ledger;
  const { started, exited } = run;
  const decisions = decisionRows(ledger);
  const findings = cases.map(({ finding }) => finding);
  const report: Report = {
    schemaVersion: 1,
    version: started?.version ?? '',
    seed: started?.seed ?? '',
    profile: started?.profile ?? '',
    contract: started?.contract ?? 'opaque',
    decisionsDigest: decisionsDigest(decisions),
    decisions,
    findings,
    faults: faultRows(ledger, decisions, cases),
    coverage: {
      detection: detection(findings),
      falseAlarms: falseAlarms(findings),
      faults: { armed: decisions.length, applied: decisions.filter(({ applied }) => applied).length },
    },
    traffic: {
      requests: ledger.requests,
      sessions: [...ledger.sessions.all()].filter(
        (session) => session.pseudonym !== null || session.initialize !== undefined,
      ).length,
      streams: ledger.streams.count,
      outside: [...ledger.outside]
        .map(([what, count]) => ({ what, count }))
        .sort((a, b) => (a.what < b.what ? -1 : 1)),
    },
    suite: {
      code: exited?.code ?? null,
      signal: exited?.signal ?? null,
      durationMs: exited?.durationMs ?? null,
    },
    notes: notesOf(ledger),
    void: run.errors.length > 0,
    exitCode: 0,
  };
  return { ...report, exitCode: exitCode(report) };
}

function decisionRows(ledger: Ledger): readonly DecisionRow[] {
  return [...ledger.run.decisions.values()].map(({ fact, seam, applied, why }) => {
    const struck = ledger.exchange(fact.exchange);
    return {
      id: fact.id,
      fault: fact.fault,
      site: fact.site,
      params: fact.params,
      seam: seam ?? null,
      channel: struck?.fact.verb === 'GET' ? 'GET' : 'POST',
      revision: struck?.session.revision ?? null,
      applied,
      ...(why === undefined ? {} : { why }),
      ...(fact.by === undefined ? {} : { by: fact.by }),
    };
  });
}

/** In the profile's order; then what a journal of explicit decisions holds besides. */
function faultRows(
  ledger: Ledger,
  decisions: readonly DecisionRow[],
  cases: readonly JudgedCase[],
): readonly FaultRow[] {
  const controls = new Map<string, boolean>();
  for (const { fault, control } of ledger.run.started?.rules ?? []) {
    controls.set(fault, control && (controls.get(fault) ?? true));
  }
  const ruled = new Set(controls.keys());
  for (const { fault, params } of decisions) {
    if (!ruled.has(fault)) controls.set(fault, isControl(fault, params) && (controls.get(fault) ?? true));
  }
  const applied = new Set(decisions.filter((row) => row.applied).map(({ id }) => id));
  return [...controls].map(([fault, control]) => {
    const own = decisions.filter((row) => row.fault === fault);
    const judged = cases.filter(
      ({ finding, independent }) =>
        !independent && finding.decision !== null && applied.has(finding.decision) && finding.fault === fault,
    );
    return {
      fault,
      control,
      armed: own.length,
      applied: own.filter((row) => row.applied).length,
      // What nobody could notice, and what a fault's prelude alone asked to be survived, is in no column.
      outcomes: outcomesOf(
        judged
          .filter((one) => (one.control ? control : isDetectable(one.finding)))
          .map(({ finding }) => finding),
      ),
      undetectable: judged.filter((one) => one.finding.detectability === 'none' && !one.control).length,
    };
  });
}

/** With these very parameters; what another version recorded may not fit. */
function isControl(fault: string, params: Readonly<Record<string, unknown>>): boolean {
  const known = faultNamed(fault);
  return known?.params.safeParse(params).success === true && known.bind(params).control;
}

function outcomesOf(findings: readonly Finding[]): FaultRow['outcomes'] {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of findings) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** Of what a client could notice and did not merely have to survive, how much it noticed. */
function detection(findings: readonly Finding[]): Report['coverage']['detection'] {
  const counted = findings.filter(({ countsFor }) => countsFor === 'detection');
  return { detected: counted.filter(({ detected }) => detected === true).length, total: counted.length };
}

function falseAlarms(findings: readonly Finding[]): Report['coverage']['falseAlarms'] {
  const controls = findings.filter(({ countsFor }) => countsFor === 'false-alarms');
  return { count: controls.filter(isFalseAlarm).length, total: controls.length };
}

function notesOf(ledger: Ledger): readonly string[] {
  const { run } = ledger;
  const hands = [...run.decisions.values()].filter(({ fact }) => fact.by === 'hand').length;
  const notes: string[] = run.errors.map(
    ({ where, message }) => `void: an internal error in ${where}: ${message.split('\n')[0] ?? ''}`,
  );
  if (run.started === undefined)
    notes.push('the journal has no header: contract, options and command are not known');
  if (run.clockBroken)
    notes.push("the journal's times go backwards: findings that rest on time are undetermined");
  if (run.ended?.error !== undefined) notes.push(`the run failed: ${run.ended.error.message}`);
  if (hands > 0)
    notes.push(
      hands === 1
        ? '1 fault was injected by hand: the seed alone does not bring it back'
        : `${hands} faults were injected by hand: the seed alone does not bring them back`,
    );
  return [...notes, ...run.notes.values()];
}
