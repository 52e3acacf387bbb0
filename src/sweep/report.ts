/**
 * The report of a sweep: what its seeds reached, what clients did, and each way to fail once, with the seeds
 * that show it. Pure data, JSON-safe; made by `fold` from one part or several, in whatever order they ran.
 * Field names are a contract for scripts; change them only with a changelog entry.
 */
import type { Contract } from '../cursor/contract.ts';
import type { Finding, Level, Outcome, Report } from '../watcher/report.ts';
import type { Reactions } from './reactions.ts';
import type { Cell, ControlEnded, RunEndedRecord, Shard, SweepEnded } from './record.ts';

/** Findings that differ only in their seed, their scope and their place in time. */
export interface FindingGroup {
  /** 8 hex digits over what makes it distinct: obligation, fault, outcome, method, tool. */
  readonly id: string;
  readonly obligation: string;
  readonly level: Level;
  readonly fault: string;
  readonly outcome: Outcome;
  /** JSON-RPC method; null for a subscription (the stand-alone stream). */
  readonly method: string | null;
  readonly tool: string | null;
  /** It fails the sweep, by the flags that the sweep was given. */
  readonly fails: boolean;
  /** How many findings, over all runs. */
  readonly count: number;
  /** Ascending. */
  readonly seeds: readonly number[];
  readonly scopes: readonly string[];
  /** Of the lowest seed. `reproduce` shows it again. */
  readonly example: Finding;
}

/** One run, in the order of seeds; `findings` are ids of groups. */
export interface SweepRun
  extends Pick<
    RunEndedRecord,
    | 'seed'
    | 'exitCode'
    | 'void'
    | 'durationMs'
    | 'suite'
    | 'requests'
    | 'decisionsDigest'
    | 'coverage'
    | 'outcomes'
    | 'notes'
  > {
  readonly findings: readonly string[];
}

export interface SweepReport {
  readonly schemaVersion: 1;
  readonly kind: 'sweep';
  readonly version: string;
  readonly profile: string;
  readonly profileDigest: string;
  readonly contract: Contract;
  readonly command: readonly string[];
  readonly flags: readonly string[];
  readonly exitCode: number;
  readonly void: boolean;
  readonly notes: readonly string[];
  readonly seeds: {
    /** How many were to run. */
    readonly planned: number;
    /** How many ran to their end. */
    readonly finished: number;
    readonly from: number;
    readonly to: number;
  };
  /** One for each file. */
  readonly parts: readonly {
    readonly shard: Shard;
    readonly finished: number;
    readonly control: ControlEnded | null;
    /** null = it is still running, or was killed. */
    readonly ended: SweepEnded['reason'] | null;
    readonly durationMs: number;
  }[];
  readonly coverage: Report['coverage'] & {
    /** By fault, seam, channel and revision. */
    readonly cells: readonly Cell[];
    /** Faults of the profile that no seed armed. */
    readonly idle: readonly string[];
  };
  readonly outcomes: Reactions;
  /** What fails first, then by how bad it is. */
  readonly findings: readonly FindingGroup[];
  readonly runs: readonly SweepRun[];
}
