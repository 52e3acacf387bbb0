/** What the watcher said in one cell of the matrix, in the words of a prediction. */
import type { Finding, Outcome } from '../../src/watcher/report.ts';
import type { Prediction } from './matrix.ts';

export type Said = Pick<Prediction, 'outcome' | 'blamed' | 'moot'>;

/** Judged beside the call itself: how it came back, and whether it ran twice. */
const beside = ['respects-retry', 'reconnects-with-pause', 'executes-once'];

/** The finding about the call that was hit; about the stand-alone stream, where that was. */
export function mainFinding(findings: readonly Finding[], fault: string): Finding | undefined {
  const ofFault = findings.filter((finding) => finding.fault === fault && finding.decision !== null);
  const candidates = ofFault.filter(({ obligation }) => !beside.includes(obligation));
  return candidates.find(({ request }) => request !== null) ?? candidates[0] ?? ofFault[0];
}

export function saidOf(findings: readonly Finding[], fault: string): Said {
  const main = mainFinding(findings, fault);
  const outcome: Outcome | 'none' = main?.outcome ?? 'none';
  const blamed = findings.filter(({ verdict }) => verdict === 'violated').map(({ obligation }) => obligation);
  return {
    outcome,
    blamed: [...new Set(blamed)].sort(),
    ...(main?.verdict === 'moot' ? { moot: true } : {}),
  };
}

/** Whether that is what was predicted. */
export function agrees(said: Said, wanted: Prediction): boolean {
  const either = wanted.or === undefined ? [wanted] : [wanted, { ...wanted, outcome: wanted.or }];
  return either.some((one) => inWords(one) === inWords(said));
}

export function inWords({ outcome, blamed, moot }: Said): string {
  return `${outcome}${moot ? ' (moot)' : ''}${blamed.length > 0 ? ` ! ${blamed.join(', ')}` : ''}`;
}
