/** Long runs of events that say nothing new are one step: what matters stays in view. */
import type { Step } from './step.ts';
import { idsInWords } from './words.ts';

/** A run longer than this is folded; so many of its steps stay at either end. */
const longest = 7;
const kept = 2;

export function fold(steps: readonly Step[]): readonly Step[] {
  const folded: Step[] = [];
  let run: Step[] = [];
  const flush = (): void => {
    if (run.length <= longest) folded.push(...run);
    else folded.push(...run.slice(0, kept), foldedStep(run.slice(kept, -kept)), ...run.slice(-kept));
    run = [];
  };
  for (const step of steps) {
    if (step.kind === 'frame' && !step.evidence && run.every((other) => isAlike(other, step))) run.push(step);
    else {
      flush();
      if (step.kind === 'frame' && !step.evidence) run.push(step);
      else folded.push(step);
    }
  }
  flush();
  return folded;
}

function isAlike(a: Step, b: Step): boolean {
  return a.tone === b.tone && (a.left === undefined) === (b.left === undefined);
}

function foldedStep(steps: readonly Step[]): Step {
  const [first] = steps;
  const ids = steps.flatMap(({ left, right }) => left?.id ?? right?.id ?? []);
  const text = `${steps.length} more of the kind${ids.length === 0 ? '' : `, ${idsInWords(ids)}`}`;
  return {
    seq: first!.seq,
    at: first!.at,
    kind: 'folded',
    text,
    tone: first!.tone === 'lost' ? 'lost' : 'quiet',
    sentence: `${text}.`,
    evidence: false,
    raw: steps.flatMap(({ raw }) => raw).slice(0, 200),
  };
}
