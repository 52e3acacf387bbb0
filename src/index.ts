/** The public API: run, proxy, judge and render from a program. The command line is a thin layer over it. */

export type { Contract } from './cursor/contract.ts';
export { ChaosError, type ErrorCode } from './errors.ts';
export type { AnyFault, BoundFault } from './faults/bound-fault.ts';
export { faultNamed, faults } from './faults/index.ts';
export { type DecodedJournal, decodeJournal, encodeFact } from './history/codec.ts';
export type { Fact, FactBody } from './history/fact.ts';
export { parseProfile } from './profiles/parse.ts';
export { ProfileError } from './profiles/problem.ts';
export type { Profile, Rule } from './profiles/schema.ts';
export { type ProxyOptions, type RunningProxy, startProxy } from './proxy/proxy.ts';
export { reporterNamed, reporters } from './report/index.ts';
export type { RenderOptions, Reporter } from './report/reporter.ts';
export { createJournal, type Journal, type JournalOptions } from './runner/journal.ts';
export { loadProfile, profileNames } from './runner/load-profile.ts';
export { type RunOptions, type RunResult, run } from './runner/run.ts';
export { readSweepFile } from './runner/sweep-file.ts';
export type { Decision } from './schedule/decision.ts';
export { decisionsDigest } from './schedule/decisions-digest.ts';
export { fold as foldSweep } from './sweep/fold.ts';
export { decodeSweep } from './sweep/log.ts';
export type { SweepPart } from './sweep/record.ts';
export type { FindingGroup, SweepReport } from './sweep/report.ts';
export { type EmbeddedOptions, type EmbeddedServer, startEmbeddedServer } from './upstream/embedded.ts';
export { judge } from './watcher/judge.ts';
export type { PolicyOptions } from './watcher/policy.ts';
export type { Finding, Level, Outcome, Report, Verdict } from './watcher/report.ts';
