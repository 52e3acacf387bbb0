/**
 * Reports of real bugs, by what happens on the wire: a version that has one and a version that has not, and the
 * finding that tells them apart.
 */
import type { Finding } from '../../src/watcher/report.ts';
import type { Script } from '../e2e/harness/scripted-server.ts';
import type { GroupName } from './packages.ts';
import { answersJson, endsAtOnce } from './upstreams.ts';

/** A published client, or one of the ward where no published version is free of the bug. */
export type Client =
  | {
      readonly group: GroupName;
      readonly program: string;
      readonly alias: string;
      /** What only this client is told. */
      readonly plan?: Readonly<Record<string, unknown>>;
    }
  | { readonly ward: string };

export interface Row {
  readonly id: string;
  readonly what: string;
  /** Public reports. */
  readonly reports: readonly string[];
  /** A file in `profiles/` beside this one, or a built-in profile. */
  readonly profile: string;
  readonly seed: number;
  readonly flags?: readonly string[];
  readonly plan?: Readonly<Record<string, unknown>>;
  /** In place of the embedded server. */
  readonly upstream?: Script;
  readonly bad: readonly Client[];
  readonly good: readonly Client[];
  /** What the bad ones are found to do, and the good ones are not. */
  readonly finding: Partial<Pick<Finding, 'obligation' | 'outcome' | 'verdict' | 'confidence' | 'fault'>> & {
    readonly flag?: Finding['flags'][number];
  };
  /** Another known defect of a good one, by obligation, with its reason. */
  readonly besides?: Readonly<Record<string, string>>;
  readonly note?: string;
}

const sdk = (version: string): Client => ({ group: 'sdk', program: 'sdk.mjs', alias: `sdk-${version}` });
const client2: Client = { group: 'sdk', program: 'sdk.mjs', alias: 'client-2.4.0' };
/** Given up by its host it neither cancels the call nor closes its stream: only a mark tells. */
const ai = (version: string): Client => ({
  group: 'ai-sdk',
  program: 'ai-sdk.mjs',
  alias: `ai-${version}`,
  plan: { marks: true },
});
/** It leaves a session of its own first probe open, beside which a later session could be anybody's: marks tell. */
const remote = (version: string): Client => ({
  group: 'mcp-remote',
  program: 'mcp-remote.mjs',
  alias: `remote-${version}`,
  plan: { marks: true },
});
const mastra = (version: string): Client => ({
  group: 'mastra',
  program: 'mastra.mjs',
  alias: `mastra-${version}`,
});
const parser = (version: '3.0.3' | '3.0.5'): Client => ({
  group: `parser-${version}`,
  program: 'sdk.mjs',
  alias: 'sdk-1.29.0',
});

const issue = (repository: string, number: number) => `https://github.com/${repository}/issues/${number}`;
const tsSdk = (number: number) => issue('modelcontextprotocol/typescript-sdk', number);

/** Long enough for its parts to be read before a reset. */
const slowCount = { calls: [['count', { n: 4, delayMs: 150 }]] };
const threeCalls = {
  calls: [
    ['count', { n: 1 }],
    ['count', { n: 2 }],
    ['count', { n: 3 }],
  ],
  betweenMs: 400,
};

export const rows: readonly Row[] = [
  {
    id: 'S1',
    what: 'an event with empty data is reported as broken JSON',
    reports: [tsSdk(1184)],
    profile: 'empty-events',
    seed: 1,
    plan: { errors: true },
    bad: [sdk('1.23.1')],
    good: [sdk('1.24.0')],
    finding: { obligation: 'survives-controls', outcome: 'overreacted', confidence: 'inferred' },
    note: 'The wire is the same for both; the suite marks a call during which the transport reported an error.',
  },
  {
    id: 'S2',
    what: 'resumes a stream whose answer it has',
    reports: [tsSdk(1191)],
    profile: 'calm',
    seed: 1,
    plan: { afterMs: 2500 },
    bad: [sdk('1.23.1')],
    good: [sdk('1.24.0')],
    finding: {
      obligation: 'matches-responses',
      outcome: 'overreacted',
      fault: 'natural:resumed-after-answer',
    },
    note: 'Nothing is injected: a server with event ids is enough.',
  },
  {
    id: 'S3',
    what: 'never opens the stand-alone stream again after a reset',
    reports: [tsSdk(731)],
    profile: 'get-reset',
    seed: 1,
    flags: ['--deadline', '2000'],
    plan: { beforeMs: 4000 },
    bad: [sdk('1.15.1')],
    good: [sdk('1.16.0')],
    finding: { obligation: 'resumes-after-drop', outcome: 'accepted' },
  },
  {
    id: 'S4',
    what: 'takes the proper end of the stand-alone stream for its last',
    reports: [tsSdk(1061)],
    profile: 'get-end',
    seed: 1,
    flags: ['--deadline', '2000'],
    plan: { beforeMs: 4000 },
    bad: [sdk('1.22.0')],
    good: [sdk('1.23.0')],
    finding: { obligation: 'resumes-after-drop', outcome: 'accepted' },
    besides: { 'matches-responses': 'S2, which 1.23.0 has and 1.22.0 has not' },
  },
  ...(
    [
      ['call-end', 'ends before anything came', [ai('1.0.102'), remote('0.15.1')]],
      ['call-reset', 'is reset after an event without an id', []],
      ['call-garbled', 'carries cut JSON in place of the answer', []],
      ['call-truncated', 'ends before its first blank line', []],
    ] as const
  ).map(
    ([profile, what, more]): Row => ({
      id: `S5 ${profile}`,
      what: `a call is stranded when its stream ${what}`,
      reports: [tsSdk(2739)],
      profile,
      seed: 1,
      bad: [sdk('1.32.2'), client2, ...more],
      good: [{ ward: 'no-resume' }],
      finding: { obligation: 'settles-broken-call', outcome: 'timed-out' },
      note: 'No published version is free of it; the good one is a client of the ward that rejects at the break.',
    }),
  ),
  {
    id: 'S6',
    what: 'forgets its cursor after a resumption that brought nothing',
    reports: [tsSdk(2499)],
    profile: 'empty-leg',
    seed: 1,
    plan: { ...slowCount, timeoutMs: 5000 },
    bad: [sdk('1.24.0'), sdk('1.32.2'), client2],
    good: [{ ward: 'deaf' }],
    finding: { obligation: 'keeps-cursor' },
    note: 'No published version that resumes at all is free of it; the good one is a client of the ward.',
  },
  {
    id: 'S7 get-flap',
    what: 'opens a stream that ends at once again and again, at one pace',
    reports: [tsSdk(2682), issue('universal-tool-calling-protocol/typescript-utcp', 35)],
    profile: 'calm',
    seed: 1,
    flags: ['--deadline', '30000'],
    upstream: endsAtOnce,
    plan: { beforeMs: 11_000 },
    bad: [sdk('1.25.3'), sdk('1.32.2'), client2],
    good: [sdk('1.22.0')],
    finding: { obligation: 'reconnects-with-pause', outcome: 'overreacted' },
    note: 'Versions before 1.23.0 do not loop because they do not reopen at all (S4). A run draws one fault for a session’s stand-alone stream, so it is the upstream that flaps, by a script.',
  },
  {
    id: 'S7 get-json',
    what: 'takes a JSON answer to its GET for a stream that ended, again and again',
    reports: [issue('malloydata/malloyyo', 134)],
    profile: 'calm',
    seed: 1,
    flags: ['--deadline', '30000'],
    plan: { beforeMs: 11_000 },
    upstream: answersJson,
    bad: [sdk('1.32.2'), client2],
    good: [sdk('1.22.0')],
    finding: { obligation: 'reconnects-with-pause', outcome: 'overreacted' },
    note: 'The upstream answers so, by a script.',
  },
  {
    id: 'S8a',
    what: 'a bridge keeps a session that was answered with 404',
    reports: [issue('punkpeye/mcp-remote', 106)],
    profile: 'second-call-404',
    seed: 1,
    plan: threeCalls,
    bad: [remote('0.1.44')],
    good: [remote('0.1.45'), remote('0.15.1')],
    finding: { obligation: 'reinitialises-after-404' },
    note: 'Of the matrix: only mcp-remote begins a new session after a 404.',
  },
  {
    id: 'S8b',
    what: 'an agent framework keeps a session that was answered with 404',
    reports: [issue('mastra-ai/mastra', 7675)],
    profile: 'second-call-404',
    seed: 1,
    plan: threeCalls,
    bad: [mastra('0.14.4')],
    good: [mastra('0.14.5')],
    finding: { obligation: 'reinitialises-after-404' },
  },
  {
    id: 'S8c',
    what: 'the official clients keep a session that was answered with 404',
    reports: [tsSdk(1371)],
    profile: 'second-call-404',
    seed: 1,
    plan: threeCalls,
    bad: [sdk('1.12.3'), sdk('1.32.2'), client2, ai('1.0.102')],
    good: [{ ward: 'careful' }],
    finding: { obligation: 'reinitialises-after-404' },
    note: 'No published version is free of it; the good one is a client of the ward.',
  },
  {
    id: 'S11',
    what: 'reads no events but those that are named',
    reports: [issue('vercel/ai', 16002)],
    profile: 'strip-event-names',
    seed: 1,
    bad: [ai('1.0.50')],
    good: [ai('1.0.51')],
    finding: { obligation: 'survives-controls', outcome: 'timed-out', confidence: 'inferred' },
  },
  {
    id: 'S13',
    what: 'a CRLF in two pieces makes two broken events of one',
    reports: [issue('rexxars/eventsource-parser', 17)],
    profile: 'crlf-in-data',
    seed: 1,
    bad: [parser('3.0.3')],
    good: [parser('3.0.5')],
    finding: { obligation: 'survives-controls', outcome: 'timed-out' },
    note: 'SDK 1.29.0 with eventsource-parser 3.0.3 and 3.0.5.',
  },
  {
    id: 'S16',
    what: 'executes a call a second time after its answer was lost, and tells nobody',
    reports: [issue('mastra-ai/mastra', 10660)],
    profile: 'second-call-lost',
    seed: 1,
    flags: ['--fail-on', 'duplicate-effect'],
    plan: {
      calls: [
        ['charge', { amount: 1 }],
        ['charge', { amount: 2 }],
        ['charge', { amount: 3 }],
      ],
    },
    bad: [mastra('0.14.5')],
    good: [sdk('1.32.2'), mastra('0.14.4'), remote('0.15.1')],
    finding: { flag: 'duplicate-effect' },
    note: 'In a new session this is a recovery with a flag; `--fail-on duplicate-effect` makes it fail the run.',
  },
  {
    id: 'M reset',
    what: 'does not resume a call whose stream was reset',
    reports: [],
    profile: 'call-broken-by-reset',
    seed: 1,
    plan: slowCount,
    bad: [sdk('1.20.2'), ai('1.0.102')],
    good: [sdk('1.12.3'), sdk('1.25.3'), sdk('1.32.2'), client2],
    finding: { obligation: 'resumes-after-drop', outcome: 'timed-out' },
  },
  {
    id: 'M end',
    what: 'does not resume a call whose stream ended properly',
    reports: [],
    profile: 'call-broken-by-end',
    seed: 1,
    plan: slowCount,
    bad: [sdk('1.12.3'), sdk('1.20.2'), ai('1.0.102')],
    good: [sdk('1.25.3'), sdk('1.32.2'), client2],
    finding: { obligation: 'resumes-after-drop', outcome: 'timed-out' },
  },
];

/** Reports that no finding can tell apart, or that lie outside of what is relayed, with the reason. */
export const notShown: readonly { readonly id: string; readonly what: string; readonly why: string }[] = [
  {
    id: 'S2 (b)',
    what: 'sdk 1.23.1 reports two errors after it was closed',
    why: 'nothing is sent then, and no call is left that a mark could name',
  },
  {
    id: 'S7, leak',
    what: 'one abort listener leaks at every reconnect',
    why: 'it stays inside of the process; the reconnects that cause it are shown',
  },
  {
    id: 'S8b, 400',
    what: '@mastra/mcp 0.14.4 keeps a session that was answered with 400',
    why: 'only a 404 obliges a client to begin anew; that it tells its host is all that is asked for',
  },
  {
    id: 'S9',
    what: '@ai-sdk/mcp 1.0.59 ends its process when its stream is reset and it is closed',
    why: 'it exits with 1, as any suite does that failed: `suite.code` and `--suite-exit` show it, and no finding rests on it',
  },
  {
    id: 'S10, S15',
    what: 'bugs on the transport of 2024-11-05 (HTTP with SSE)',
    why: 'that transport is not Streamable HTTP, and is relayed untouched',
  },
  {
    id: 'S12',
    what: 'supergateway 3.4.3 ends when a client comes back',
    why: 'it is a server; clients are what is judged',
  },
  {
    id: 'S14',
    what: 'eventsource-parser 3.0.7 needs seconds for one large event in small pieces',
    why: '`slow-drip` bounds its pieces so that a run stays short, and how fast a client reads is no duty',
  },
];
