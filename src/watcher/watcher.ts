/**
 * The watcher: a pure fold over facts. No clock, no I/O; a run and `check` judge with the same code, and a
 * verdict, once given, stands whatever follows.
 */
import type { Fact } from '../history/fact.ts';
import { createReplyJudge } from './beside/executions.ts';
import { createPaceJudge } from './beside/pace.ts';
import { judgeRetry } from './beside/retry.ts';
import { detectAltered } from './detect/altered.ts';
import { detectBreaks } from './detect/breaks.ts';
import { detectLive } from './detect/live.ts';
import { detectMessages } from './detect/messages.ts';
import { detectRefusals } from './detect/refusals.ts';
import { detectResumption } from './detect/resumption.ts';
import { detectSessionIds } from './detect/session-ids.ts';
import { detectWithheld } from './detect/withheld.ts';
import { createDocket, type Docket } from './docket.ts';
import { type JudgedCase, judgeCase } from './findings.ts';
import type { Happening } from './ledger/happening.ts';
import { createLedger } from './ledger/ledger.ts';
import { reactToRepetition } from './react/again.ts';
import { createNewBeginnings } from './react/anew.ts';
import { reactToAnswers } from './react/answers.ts';
import { reactToClosing } from './react/closing.ts';
import { reactWithComposure } from './react/composure.ts';
import { reactToCursors } from './react/cursor-sent.ts';
import { reactToTheEnd } from './react/end-of-run.ts';
import { reactOnLiveSubscriptions } from './react/live-subscriptions.ts';
import { reactOnLostSessions } from './react/lost-sessions.ts';
import { reactToMarks } from './react/marks.ts';
import { reactOnSessionIds } from './react/session-ids.ts';
import { reactOnSubscriptions } from './react/subscriptions.ts';
import type { Finding, Report } from './report.ts';
import { summarise } from './summary.ts';

export interface Watcher {
  observe(fact: Fact): void;
  /** As far as the facts so far decide, in the order of their occasions; for a live view. */
  findings(): readonly Finding[];
  finish(): Report;
}

type Stage = (told: Happening, docket: Docket) => void;

export function createWatcher(): Watcher {
  const ledger = createLedger();
  const docket = createDocket(ledger);
  // The order matters where one happening is both: an answer lost in a reset is taken back before it
  // settles anything, a reaction is seen before the occasion that the same request begins.
  const stages: readonly Stage[] = [
    detectBreaks,
    detectResumption,
    detectLive,
    reactOnLostSessions,
    detectRefusals,
    detectSessionIds,
    detectMessages,
    reactToAnswers,
    detectWithheld,
    detectAltered,
    createNewBeginnings(),
    reactToRepetition,
    reactToClosing,
    judgeRetry,
    createPaceJudge(),
    reactToCursors,
    reactOnSubscriptions,
    reactOnLiveSubscriptions,
    reactOnSessionIds,
    reactWithComposure,
    createReplyJudge(),
    reactToTheEnd,
    reactToMarks,
  ];

  function judged(): readonly JudgedCase[] {
    return docket
      .all()
      .filter((one) => one.visible)
      .map((one) => judgeCase(one, docket))
      .sort((a, b) => (a.finding.evidence[0] ?? 0) - (b.finding.evidence[0] ?? 0));
  }

  return {
    observe(fact) {
      for (const told of ledger.observe(fact)) {
        for (const stage of stages) stage(told, docket);
      }
    },
    findings: () => judged().map(({ finding }) => finding),
    finish: () => summarise(ledger, judged()),
  };
}
