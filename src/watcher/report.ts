/**
 * The report: everything reporters and scripts need, and nothing else. Pure data, JSON-safe.
 * Field names are a contract for scripts; change them only with a changelog entry.
 */
import type { Contract } from '../cursor/contract.ts';
import type { Detectability } from '../faults/fault.ts';
import type { Seam } from '../history/fact.ts';

/** The words of a finding: the schema, `--fail-on` and every order from worst to best are made of these lists. */
export const levelsStrictFirst = ['MUST', 'CONTRACT', 'CONTROL', 'SHOULD', 'ADVICE'] as const;
export type Level = (typeof levelsStrictFirst)[number];

export const outcomesWorstFirst = [
  'crashed',
  'accepted',
  'hung',
  'stuck',
  'timed-out',
  'overreacted',
  'undetermined',
  'surfaced',
  'reset',
  'recovered',
] as const;
export type Outcome = (typeof outcomesWorstFirst)[number];

/** Outcomes that count as detection (README, outcomes). */
export const detectedOutcomes: readonly Outcome[] = ['recovered', 'reset', 'surfaced'];

export const flagOrder = ['retried', 'adopted-cursor', 'storm', 'duplicate-effect', 'reset-session'] as const;
export type Flag = (typeof flagOrder)[number];

export const verdicts = ['held', 'violated', 'undetermined', 'not-exercised', 'moot'] as const;
export type Verdict = (typeof verdicts)[number];

/** One occasion and one affected request (or subscription), judged under one obligation. */
export interface Finding {
  readonly id: string;
  readonly obligation: string;
  readonly level: Level;
  /** Fault slug; for a natural occasion the slug of what happened, prefixed `natural:`. */
  readonly fault: string;
  readonly decision: string | null;
  readonly revision: string | null;
  readonly upstream: string;
  readonly scope: string;
  readonly session: string | null;
  /** The one request on the wire: JSON-RPC id, method, tool, exchange. */
  readonly request: {
    readonly id: string | number | null;
    readonly method: string;
    readonly tool: string | null;
    readonly exchange: number;
  } | null;
  readonly detectability: Detectability;
  readonly outcome: Outcome;
  readonly flags: readonly Flag[];
  readonly detected: boolean | null;
  /** The ratio in `coverage` whose denominator it is in; null = in none. */
  readonly countsFor: 'detection' | 'false-alarms' | null;
  readonly verdict: Verdict;
  readonly confidence: 'proven' | 'inferred';
  /** From the occasion to the client's decisive act; null where there was none. */
  readonly latencyMs: number | null;
  /** Sequence numbers of the facts it rests on. */
  readonly evidence: readonly number[];
  /** What the client was shown, then what it did. */
  readonly message: { readonly shown: string; readonly did: string };
  /** The command line that reproduces it. */
  readonly reproduce: string;
}

export interface DecisionRow {
  readonly id: string;
  readonly fault: string;
  readonly site: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Where it acts; null in a journal that does not say. */
  readonly seam: Seam | null;
  /** How the stream that it is for was asked for: `GET` = the stand-alone stream. */
  readonly channel: 'POST' | 'GET';
  /** As negotiated on the wire by the session it struck; null where there was none. */
  readonly revision: string | null;
  readonly applied: boolean;
  /** Why it was not applied, where that is known. */
  readonly why?: string;
  /** A person armed it: the seed alone does not bring it back. */
  readonly by?: 'hand';
}

/** One row a fault: what was armed, what reached the client, what the client did. */
export interface FaultRow {
  readonly fault: string;
  readonly control: boolean;
  readonly armed: number;
  readonly applied: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly undetectable: number;
}

export interface Report {
  readonly schemaVersion: 1;
  readonly version: string;
  readonly seed: string;
  readonly profile: string;
  readonly contract: Contract;
  readonly decisionsDigest: string;
  readonly decisions: readonly DecisionRow[];
  readonly findings: readonly Finding[];
  readonly faults: readonly FaultRow[];
  readonly coverage: {
    readonly detection: { readonly detected: number; readonly total: number };
    readonly falseAlarms: { readonly count: number; readonly total: number };
    readonly faults: { readonly armed: number; readonly applied: number };
  };
  /** Traffic in numbers, and what lay outside the profile (another protocol family, not MCP). */
  readonly traffic: {
    readonly requests: number;
    readonly sessions: number;
    readonly streams: number;
    readonly outside: readonly { readonly what: string; readonly count: number }[];
  };
  readonly suite: {
    readonly code: number | null;
    readonly signal: string | null;
    readonly durationMs: number | null;
  };
  /** Why the run is void, or what weakens it (no determinism promised, store reached its bound). */
  readonly notes: readonly string[];
  readonly void: boolean;
  readonly exitCode: number;
}
