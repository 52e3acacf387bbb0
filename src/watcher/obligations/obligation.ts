/**
 * Obligations: what a client owes on an occasion, by whose word. One file each; the registry's order is the
 * order in which they are asked whether an occasion is theirs.
 */

import type { Contract } from '../../cursor/contract.ts';
import type { Case, Settlement } from '../case.ts';
import type { OccasionKind } from '../occasion.ts';
import { detectedOutcomes, type Level, type Verdict } from '../report.ts';

export interface Source {
  /** The first and the last revision whose text says so; absent for a seed document's or our own rule. */
  readonly since?: string;
  readonly until?: string;
  readonly clause: string;
  readonly url?: string;
}

/** What is judged. `settled` is undefined while the client has not done anything decisive. */
export interface Judged {
  readonly one: Case;
  readonly contract: Contract;
  readonly settled: Settlement | undefined;
}

export interface Obligation {
  readonly slug: string;
  /** One line for tables. */
  readonly summary: string;
  /** The duty, quoted or in close paraphrase. */
  readonly statement: string;
  readonly level: Level;
  readonly source: Source;
  /** Kinds of occasion that it may govern; for docs and for tests. */
  readonly occasions: readonly OccasionKind[];
  /** Whether this very occasion is its own; asked in the registry's order. */
  governs?(judged: Judged): boolean;
  /** Where the facts lower the level. */
  levelOf?(judged: Judged): Level;
  /** Asked once the case is settled. */
  judge(settled: Settlement, judged: Judged): Verdict;
}

export function defineObligation(obligation: Obligation): Obligation {
  return obligation;
}

/** The common case: noticing holds, anything else violates. */
export function heldIfNoticed({ outcome }: Settlement): Verdict {
  return detectedOutcomes.includes(outcome) ? 'held' : 'violated';
}

/** Only progress was lost or came again: nobody's duty, but worth knowing (README, outcomes). */
export function onlyProgress({ one, settled }: Judged): boolean {
  return settled?.outcome === 'accepted' && (one.lost === 'progress' || one.lost === undefined);
}
