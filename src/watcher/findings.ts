/** From a case to a finding: the obligation that governs it, its verdict, and what weakens it. */
import type { Case, Settlement } from './case.ts';
import { openLeg } from './case.ts';
import type { Docket } from './docket.ts';
import { processEndOf } from './ledger/run.ts';
import { obligationOf } from './obligations/index.ts';
import type { Judged } from './obligations/obligation.ts';
import type { OccasionKind } from './occasion.ts';
import { isOnLiveStream, rankOf } from './occasion.ts';
import { undecidedBecause } from './react/end-of-run.ts';
import { detectedOutcomes, type Finding, type Flag, flagOrder, type Verdict } from './report.ts';
import { reproduce } from './reproduce.ts';

/** Judged beside the case of the same request, and no part of coverage. */
const independent: readonly OccasionKind[] = [
  'retry-announced',
  'reconnected-often',
  'executed-again',
  'resumed-after-answer',
];

export interface JudgedCase {
  readonly finding: Finding;
  readonly control: boolean;
  /** A duty of its own: not counted with its fault's outcomes. */
  readonly independent: boolean;
}

export function judgeCase(one: Case, docket: Docket): JudgedCase {
  const { run } = docket.ledger;
  const doubt = doubtOf(one, docket);
  const settled = doubt === undefined ? one.settled : undefined;
  const judged: Judged = { one, contract: docket.contract, settled };
  const obligation = obligationOf(judged);
  const outcome = settled?.outcome ?? 'undetermined';
  const moot = settled === undefined ? undefined : mootBecause(one, settled, docket);
  const { occasion, session, call } = one;
  const decision = occasion.decision === undefined ? undefined : run.decisions.get(occasion.decision);
  const alone = independent.includes(occasion.kind);
  const finding: Omit<Finding, 'countsFor'> = {
    id: one.id,
    obligation: obligation.slug,
    level: obligation.levelOf?.(judged) ?? obligation.level,
    fault: decision?.fact.fault ?? `natural:${occasion.kind}`,
    decision: decision?.fact.id ?? null,
    revision: session.revision ?? null,
    upstream: session.upstream,
    // The test that asked, not the hook that connected.
    scope: call?.exchange.fact.scope ?? session.scope,
    session: session.pseudonym,
    request:
      call === undefined
        ? null
        : { id: call.id, method: call.method, tool: call.tool, exchange: call.exchange.n },
    detectability: occasion.detectability,
    outcome,
    flags: flagsOf(one),
    detected:
      outcome === 'undetermined' || (settled !== undefined && isUntold(one, settled))
        ? null
        : detectedOutcomes.includes(outcome),
    verdict: verdictOf(settled, moot, judged),
    confidence: settled?.confidence ?? 'inferred',
    latencyMs: settled?.act === undefined ? null : Math.max(0, Math.round(settled.act.at - occasion.spot.at)),
    evidence: [...one.evidence].sort((a, b) => a - b),
    message: {
      shown: sentence(occasion.shown),
      did: sentence(
        didOf(
          settled,
          moot,
          doubt ?? undecidedBecause(one, run.exited !== undefined || run.ended !== undefined),
        ),
      ),
    },
    reproduce: reproduce(run.started, decision?.fact),
  };
  return {
    finding: { ...finding, countsFor: countsFor(finding, occasion.control, alone) },
    control: occasion.control,
    independent: alone,
  };

  function verdictOf(settlement: Settlement | undefined, why: string | undefined, subject: Judged): Verdict {
    if (settlement === undefined) return 'undetermined';
    if (why !== undefined) return 'moot';
    const verdict = obligation.judge(settlement, subject);
    // What no client could know is listed and never held against one.
    if (verdict === 'violated' && occasion.detectability === 'none' && !occasion.control) return 'moot';
    return verdict;
  }
}

/** A desync that was decided and that its client had a duty to notice, or a control that it came through. */
function countsFor(
  finding: Omit<Finding, 'countsFor'>,
  control: boolean,
  alone: boolean,
): Finding['countsFor'] {
  if (control) return finding.outcome === 'undetermined' ? null : 'false-alarms';
  return !alone && isDetectable(finding) && finding.detected !== null ? 'detection' : null;
}

/** A client could notice it, and had a duty to. */
export function isDetectable({
  detectability,
  verdict,
}: Pick<Finding, 'detectability' | 'verdict'>): boolean {
  return detectability !== 'none' && verdict !== 'moot' && verdict !== 'not-exercised';
}

/** An error of ours, or a clock that cannot be trusted: no verdict, whoever it would have favoured. */
function doubtOf(one: Case, docket: Docket): string | undefined {
  const { run } = docket.ledger;
  const error = run.errors.find((other) => other.exchange === undefined || one.exchanges.has(other.exchange));
  if (error !== undefined) return `an internal error of mcp-chaos touched it (${error.where})`;
  if (run.clockBroken && one.timed)
    return "the journal's times go backwards, and the verdict would rest on them";
  return undefined;
}

/**
 * Nothing was lost, the work went on, and the wire cannot tell a client that looked and saw that from one that
 * never looks. It holds, and it is no detection.
 */
function isUntold(one: Case, { outcome }: Settlement): boolean {
  return (
    outcome === 'recovered' && !one.occasion.control && one.reissue === undefined && one.anew === undefined
  );
}

/** Not the client's fault. */
function mootBecause(one: Case, settled: Settlement, docket: Docket): string | undefined {
  if (one.moot !== undefined) return one.moot;
  const { occasion, call } = one;
  if (detectedOutcomes.includes(settled.outcome) || settled.outcome === 'overreacted') return undefined;
  // Whoever compares the ids of a live stream may act on what it sees; nobody has to (detect/live.ts).
  if (isOnLiveStream(occasion.kind) && settled.outcome !== 'crashed')
    return 'no text asks a client to watch the ids of a stream that did not break';
  if (occasion.decision === undefined && processEndOf(docket.ledger.run, one.session, occasion.spot)) {
    one.timed = true;
    return 'the server had ended by itself';
  }
  const resumption = occasion.kind.startsWith('resumed-') && occasion.kind !== 'resumed-after-answer';
  if (resumption && occasion.decision === undefined) {
    return docket.ledger.run.notes.size > 0 && one.leg?.from === 'store'
      ? 'the replay store had let go of what was due'
      : 'upstream cannot resume: what it sent did not follow the cursor';
  }
  const resumedInVain =
    one.resumed === 'with its cursor' && rankOf(occasion.kind) === 1 && call !== undefined;
  if (resumedInVain && call.answer === undefined && call.upstreamAnswer === undefined && answersItself(one)) {
    return one.leg?.from === 'upstream'
      ? 'upstream cannot resume: it took the cursor and sent no more of that stream'
      : 'upstream never answered the call';
  }
  return undefined;
}

/** The last resumption was accepted, and it is upstream that had nothing to say. */
function answersItself(one: Case): boolean {
  const leg = openLeg(one) ?? one.leg;
  return leg?.exchange.head?.status === 200 && leg.stream.session.epoch === leg.stream.epoch;
}

function flagsOf(one: Case): readonly Flag[] {
  const flags = new Set(one.flags);
  const ranTwice = one.call?.upstreamAnswer !== undefined && one.reissue?.upstreamAnswer !== undefined;
  if (ranTwice) flags.add('duplicate-effect');
  return flagOrder.filter((flag) => flags.has(flag));
}

function didOf(settled: Settlement | undefined, moot: string | undefined, why: string): string {
  if (settled === undefined) return `undetermined: ${why}`;
  return moot === undefined ? settled.did : `${settled.did}; moot: ${moot}`;
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
