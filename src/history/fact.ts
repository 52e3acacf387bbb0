/**
 * Facts: everything a run knows, append-only, one JSON object a line in the journal.
 *
 * The proxy writes down what happened and never what it means; the watcher is a fold over these
 * facts, live or offline. A fact is JSON-safe and self-contained.
 */
import type { Contract } from '../cursor/contract.ts';

/** Bytes as they were on the wire: `text` where they are valid UTF-8, else base64. */
export type WireBytes = { readonly text: string } | { readonly base64: string };

/**
 * Whose side of the proxy a fact is about. `both` = upstream sent it and the client was shown the
 * very same; anything withheld, altered or invented is recorded once for each side instead.
 */
export type Side = 'both' | 'upstream' | 'client';

/** Every way a body can end. `complete` = its proper end; `fin`, `reset` = the connection went first. */
export type Ending = 'complete' | 'fin' | 'reset' | 'stall';

/** The judge's options, written into the journal's header so that `check` needs nothing else. */
export interface JudgeOptions {
  /** How long after an occasion a pending, quiet request counts as hung. */
  readonly deadlineMs: number;
  /** The client's own request timeout, when declared or measured. */
  readonly clientTimeoutMs?: number;
  /** What was asked to fail the run besides; `check` does the same unless it is told otherwise. */
  readonly policy?: {
    readonly failOn?: readonly string[];
    readonly minDetection?: number;
    readonly suiteExit?: boolean;
    readonly expected?: readonly Readonly<Record<string, string>>[];
  };
}

export interface RunStarted {
  readonly kind: 'run-started';
  /** Journal format; readers skip fact kinds that they do not know. */
  readonly format: 1;
  readonly version: string;
  readonly seed: string;
  readonly profile: string;
  readonly contract: Contract;
  readonly options: JudgeOptions;
  /** The wrapped command with secrets masked; empty for a stand-alone proxy. */
  readonly command: readonly string[];
  /** Flags that a reproduction needs beside `--profile` and `--seed` (`--upstream`, …), secrets masked. */
  readonly flags?: readonly string[];
  /** Rules of the profile by fault slug, in order: what was armed at all. */
  readonly rules: readonly { readonly fault: string; readonly control: boolean }[];
  readonly upstreams: readonly string[];
  /** ISO 8601; the only wall-clock time in the journal. */
  readonly startedAt: string;
}

/** A request reached the proxy. */
export interface RequestFact {
  readonly kind: 'request';
  readonly exchange: number;
  /** Client connection, numbered in order of arrival. */
  readonly connection: number;
  readonly upstream: string;
  readonly scope: string;
  readonly lane: string;
  readonly verb: string;
  readonly path: string;
  /** Allow-listed headers only, lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Pseudonym (hash) of the session id the client sent. */
  readonly session?: string;
  /** `Last-Event-ID` as the client sent it. */
  readonly cursor?: string;
  /** `MCP-Protocol-Version` as the client sent it. */
  readonly protocolVersion?: string;
  /** False for traffic that is relayed but not MCP (health check, login page). */
  readonly mcp: boolean;
}

export interface RequestBodyFact {
  readonly kind: 'request-body';
  readonly exchange: number;
  readonly body: WireBytes;
}

/** A response head. `decision` names the decision that made the client's differ from upstream's. */
export interface HeadFact {
  readonly kind: 'head';
  readonly exchange: number;
  readonly side: Side;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Pseudonym of the session id in the response. */
  readonly session?: string;
  readonly decision?: string;
}

/** A piece of a response body. Pieces need not align with frames. */
export interface BytesFact {
  readonly kind: 'bytes';
  readonly exchange: number;
  readonly side: Side;
  readonly body: WireBytes;
  readonly decision?: string;
}

/** A response body ended. `by` is who ended it; a stall is recorded when it begins. */
export interface EndFact {
  readonly kind: 'end';
  readonly exchange: number;
  readonly side: Side;
  readonly how: Ending;
  readonly by: 'upstream' | 'client' | 'proxy';
  /** Client side only: everything written had left the process before the ending was sent. */
  readonly flushed?: boolean;
  readonly decision?: string;
}

/** A logical SSE stream began: the exchange whose response carries it. */
export interface StreamOpenedFact {
  readonly kind: 'stream-opened';
  readonly stream: string;
  readonly exchange: number;
  readonly born: 'POST' | 'GET';
}

/** A GET with a cursor was tied to a stream. `from: store` = answered from the proxy's replay store. */
export interface StreamResumedFact {
  readonly kind: 'stream-resumed';
  readonly stream: string;
  readonly exchange: number;
  /** 1 for the first resumption. */
  readonly attempt: number;
  readonly from: 'store' | 'upstream';
  /**
   * What a coherent resume would have delivered at this moment: the ids the client would have seen,
   * in order, and whether the stream's response is among them. Absent when only upstream knows.
   */
  readonly coherent?: { readonly ids: readonly string[]; readonly answers: boolean };
}

/** A draw came out positive: the fault is armed at a site. `params` are concrete. */
export interface DecisionFact {
  readonly kind: 'decision';
  readonly id: string;
  readonly fault: string;
  readonly rule: number;
  readonly site: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Where it counts as applied; what it does at other seams is its prelude. */
  readonly seam?: Seam;
  readonly exchange: number;
  /** A person armed it, from the live page; absent where it was drawn or given. */
  readonly by?: 'hand';
}

/**
 * A decision did something to what the client saw. `prelude` = it only prepared (the drop before a
 * resume fault); the decision counts as applied once a fact with `prelude: false` exists.
 */
export interface AppliedFact {
  readonly kind: 'applied';
  readonly decision: string;
  readonly exchange: number;
  readonly stream?: string;
  readonly seam: Seam;
  readonly frame?: number;
  readonly prelude: boolean;
  /** Effects in words, e.g. `send 2 frames, end reset`. */
  readonly effects: string;
}

/** Where the fault could not be carried out, with the reason (an upstream without sessions, …). */
export interface NotApplicableFact {
  readonly kind: 'not-applicable';
  readonly decision: string;
  readonly why: string;
}

/** The upstream session behind a client session was replaced; a new epoch began. */
export interface SessionRestartedFact {
  readonly kind: 'session-restarted';
  readonly lane: string;
  readonly session: string;
  readonly epoch: number;
  readonly decision?: string;
}

/** What became of a managed upstream's process. All its sessions end with it. */
export interface UpstreamProcessFact {
  readonly kind: 'upstream-process';
  readonly upstream: string;
  /**
   * `started` = it answers; `stopping` = a decision ends it; `ended` = it ended by itself;
   * `failed` = a new one did not come up.
   */
  readonly state: 'started' | 'stopping' | 'ended' | 'failed';
  readonly decision?: string;
  /** How it ended by itself, or why no new one came up, in words. */
  readonly why?: string;
}

/** `--deadline` has passed since fact `since`. The judge needs no clock. */
export interface DeadlineElapsedFact {
  readonly kind: 'deadline-elapsed';
  readonly since: number;
}

/** What the child posted about one of its calls or tests. */
export interface MarkFact {
  readonly kind: 'mark';
  readonly phase: 'started' | 'resolved' | 'rejected';
  readonly name?: string;
  readonly scope?: string;
  readonly tool?: string;
  readonly requestId?: string | number;
  readonly error?: string;
}

export interface StoreEvictedFact {
  readonly kind: 'store-evicted';
  readonly lane: string;
  readonly stream: string;
  readonly events: number;
  readonly bytes: number;
}

/** A URL of the upstream's own was made to name the proxy (OAuth metadata, WWW-Authenticate). */
export interface RewrittenFact {
  readonly kind: 'rewritten';
  readonly exchange: number;
  readonly what: string;
}

/** Traffic of the wrapped command that did not go through the proxy, or was no MCP and passed it unrecorded. */
export interface LeftAloneFact {
  readonly kind: 'left-alone';
  /** What it was, or why: `direct` and `forwarded` are no MCP. */
  readonly reason: string;
  /** Requests; for what is said once a process, processes. */
  readonly count: number;
}

/** Why this run does not promise the same decisions for the same seed. */
export interface NotDeterministicFact {
  readonly kind: 'not-deterministic';
  readonly scope: string;
  readonly why: string;
}

/** A fault of ours. Findings that touch `exchange` become undetermined and the run is void. */
export interface InternalErrorFact {
  readonly kind: 'internal-error';
  readonly exchange?: number;
  readonly where: string;
  readonly message: string;
}

export interface ChildStarted {
  readonly kind: 'child-started';
}
export interface ChildExited {
  readonly kind: 'child-exited';
  readonly code: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
}
export interface RunEnded {
  readonly kind: 'run-ended';
  /** `failed` = the run could not be carried out, see `error`. */
  readonly reason: 'child-exited' | 'interrupted' | 'timeout' | 'stopped' | 'failed';
  /** The user's mistake, or our bug, that ended the run: a code of `ChaosError` and its message. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** The places where a fault may act. */
export type Seam = 'request' | 'head' | 'frame' | 'resume' | 'end';

export type FactBody =
  | RunStarted
  | RequestFact
  | RequestBodyFact
  | HeadFact
  | BytesFact
  | EndFact
  | StreamOpenedFact
  | StreamResumedFact
  | DecisionFact
  | AppliedFact
  | NotApplicableFact
  | SessionRestartedFact
  | UpstreamProcessFact
  | DeadlineElapsedFact
  | MarkFact
  | StoreEvictedFact
  | RewrittenFact
  | LeftAloneFact
  | NotDeterministicFact
  | InternalErrorFact
  | ChildStarted
  | ChildExited
  | RunEnded;

/** `seq` counts from 1 without gaps; `at` is milliseconds since the run began, monotonic clock. */
export type Fact = FactBody & { readonly seq: number; readonly at: number };
