/**
 * What a sweep writes down as it goes, one JSON object a line: a header, the control, each run that came to
 * its end, its own end. All that a sweep is known by follows from these lines, so that a sweep that was
 * killed goes on, and shards are put together.
 */
import type { Contract } from '../cursor/contract.ts';
import type { Seam } from '../history/fact.ts';
import type { PolicyOptions } from '../watcher/policy.ts';
import type { Finding, Report } from '../watcher/report.ts';
import type { Reactions } from './reactions.ts';

/** `index` from 1. Seed number n of the range belongs to shard (n mod count) + 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface SweepStarted {
  readonly kind: 'sweep-started';
  readonly format: 1;
  /** Of mcp-chaos. */
  readonly version: string;
  /** As the user named it. */
  readonly profile: string;
  /** Of what the profile says: a file may change under its name. */
  readonly profileDigest: string;
  readonly contract: Contract;
  /** Fault slugs of the profile's rules, in order, each once. */
  readonly faults: readonly string[];
  /** The wrapped command, secrets masked. */
  readonly command: readonly string[];
  /** Further flags of each run, secrets masked. */
  readonly flags: readonly string[];
  /** The whole range, of all shards. */
  readonly seeds: { readonly from: number; readonly count: number };
  readonly shard: Shard;
  readonly policy: PolicyOptions;
}

/** The run under `calm` that comes first. */
export interface ControlEnded {
  readonly kind: 'control-ended';
  readonly exitCode: number;
  readonly durationMs: number;
  /** Requests that reached the proxy. */
  readonly requests: number;
  /** Why the sweep is void; absent where the suite passes as long as nothing is injected. */
  readonly failed?: string;
}

/** Decisions of one kind: how many there were, and what was noticed of them. */
export interface Cell {
  readonly fault: string;
  readonly seam: Seam | null;
  readonly channel: 'POST' | 'GET';
  readonly revision: string | null;
  readonly armed: number;
  readonly applied: number;
  /** Desyncs that were noticed, of those that could have been. */
  readonly detected: number;
  readonly detectable: number;
  /** Controls that a healthy session did not survive, of those that counted. */
  readonly falseAlarms: number;
  readonly controls: number;
}

export interface RunEndedRecord {
  readonly kind: 'run-ended';
  readonly seed: number;
  readonly exitCode: number;
  /** Nothing that it found counts. */
  readonly void: boolean;
  /** From the start of its process to its end. */
  readonly durationMs: number;
  readonly suite: Report['suite'];
  readonly requests: number;
  readonly decisionsDigest: string;
  readonly coverage: Report['coverage'];
  /** What clients did about faults, each occasion once. */
  readonly outcomes: Reactions;
  readonly cells: readonly Cell[];
  /** What failed, what is undetermined, and what `--fail-on` asks for. */
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
}

export interface SweepEnded {
  readonly kind: 'sweep-ended';
  readonly reason: 'complete' | 'first-failure' | 'max-time' | 'interrupted' | 'void';
  /** Of this process; a sweep that was resumed has several ends. */
  readonly durationMs: number;
}

export type SweepLine = SweepStarted | ControlEnded | RunEndedRecord | SweepEnded;

/** One file: one sweep, or one shard of it. */
export interface SweepPart {
  readonly started: SweepStarted;
  readonly control: ControlEnded | undefined;
  /** In the order in which they ended. */
  readonly runs: readonly RunEndedRecord[];
  /** The last one; undefined while it runs, or where it was killed. */
  readonly ended: SweepEnded | undefined;
  readonly durationMs: number;
}
