/**
 * What the watcher must say of every client of the ward under every fault, written down before it was asked.
 *
 * Derived from what each client is known for (the head of its file) and from the outcomes as DESIGN 5 defines
 * them, not from the watcher. A prediction that turned out wrong stays, and stands in `matrix-changes.ts` with
 * what is true instead, and why.
 */
import type { Outcome } from '../../src/watcher/report.ts';

/** One thing that is done to the second call of a session (or to its stand-alone stream). */
export interface Column {
  readonly slug: string;
  readonly fault: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Left out: the second `tools/call` of each session, so that a call made again in a new one is spared. */
  readonly on?: 'GET';
  /** A correct client survives it. */
  readonly control: boolean;
}

const after = 2;
/** Until the stream breaks upstream goes on, so that something has been missed even by who is back within a millisecond. */
const idleMs = 250;

export const columns: readonly Column[] = [
  { slug: 'drop-fin', fault: 'drop-stream', params: { after, how: 'fin' }, control: true },
  { slug: 'drop-reset', fault: 'drop-stream', params: { after, how: 'reset' }, control: true },
  {
    slug: 'drop-clean',
    fault: 'drop-stream',
    params: { where: 'before-response', how: 'complete' },
    control: true,
  },
  { slug: 'cut-event', fault: 'cut-mid-event', params: { after, keep: 1, how: 'fin' }, control: true },
  { slug: 'flap', fault: 'flap-stream', params: { after, times: 2 }, control: true },
  { slug: 'hint-retry', fault: 'hint-retry', params: { after, retryMs: 600 }, control: true },
  { slug: 'crlf', fault: 'crlf-lines', params: { cutMs: 20 }, control: true },
  { slug: 'refuse-get', fault: 'refuse-get', params: { status: 409 }, on: 'GET', control: true },
  { slug: 'no-session-id', fault: 'drop-session-id', params: { at: 'answer' }, control: true },

  { slug: 'no-id', fault: 'drop-stream', params: { where: 'before-first-id' }, control: false },
  { slug: 'stall', fault: 'stall-stream', params: { after }, control: false },
  { slug: 'restart', fault: 'restart-session', params: { after }, control: false },
  { slug: 'expire-call', fault: 'expire-session', params: { at: 'request' }, control: false },
  { slug: 'expire-resume', fault: 'expire-session', params: { at: 'resume', after }, control: false },
  { slug: 'change-id', fault: 'change-session-id', params: { at: 'answer' }, control: false },
  { slug: 'regress', fault: 'regress-cursor', params: { after, to: 17 }, control: false },
  { slug: 'skip-answer', fault: 'skip-events', params: { after, over: 'answer' }, control: false },
  { slug: 'skip-events', fault: 'skip-events', params: { after, idleMs, over: 'events' }, control: false },
  { slug: 'silence', fault: 'swallow-replay', params: { after, idleMs, next: 'silence' }, control: false },
  { slug: 'fresh-ids', fault: 'swallow-replay', params: { after, next: 'fresh-ids' }, control: false },
  { slug: 'from-start', fault: 'replay-from-start', params: { after }, control: false },
  { slug: 'repeat', fault: 'repeat-last-event', params: { after }, control: false },
  { slug: 'foreign', fault: 'replay-foreign-stream', params: { after }, control: false },
  { slug: 'diverge', fault: 'diverge-replay', params: { after }, control: false },
  { slug: 'diverge-again', fault: 'diverge-replay', params: { after, repeatLast: true }, control: false },
  // Cut before the ids wrap for the first time, so that the resumption is where it shows.
  { slug: 'wrap', fault: 'wrap-ids', params: { after: 1, modulus: 2 }, control: false },
  {
    slug: 'truncate',
    fault: 'truncate-ids',
    params: { after: 1, idleMs, lookup: 'unknown' },
    control: false,
  },
  { slug: 'lost-stall', fault: 'swallow-response', params: { next: 'stall' }, control: false },
  { slug: 'lost-end', fault: 'swallow-response', params: { next: 'complete' }, control: false },
  { slug: 'twice', fault: 'duplicate-response', params: {}, control: false },
  { slug: 'refuse-resume', fault: 'refuse-resume', params: { after, status: 400 }, control: false },
  { slug: 'misroute', fault: 'misroute-response', params: {}, control: false },
  { slug: 'lost-part', fault: 'swallow-notification', params: { after: 1 }, control: false },
  { slug: 'collide', fault: 'collide-ids', params: { after }, control: false },
];

export interface WardClient {
  readonly slug: string;
  /** Below test/clients/ward. */
  readonly file: string;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * `retry` of the server that it meets, in ms; left out: 100, of which 50 are for coarse timers. A busy machine
   * makes a client later than that by itself, and then nothing shows that it did not wait.
   */
  readonly retryMs?: number;
  /** Does nothing that anybody may blame it for. */
  readonly innocent?: true;
  /** Must never be called detected where it is left waiting. */
  readonly neverDetects?: true;
  /** The columns it is admitted to; left out: all. */
  readonly only?: readonly string[];
}

/** The flaws of `flawed.mjs`, each in a client that is careful in everything else. */
export const flaws = [
  'unchecked',
  'unprobing',
  'digestless',
  'boundless',
  'adopting',
  'unresuming',
  'clingy',
  'confused',
  'unsettling',
  'pushy',
  'hasty',
  'repeating',
  'halving',
  'forgetting',
] as const;

const leaving = { LEAVE_AFTER: '2' };

export const clients: readonly WardClient[] = [
  { slug: 'careful', file: 'careful.mjs', innocent: true },
  { slug: 'transparent', file: 'transparent.mjs', innocent: true },
  { slug: 'loud', file: 'loud.mjs', innocent: true },
  { slug: 'no-get', file: 'no-get.mjs', innocent: true },
  { slug: 'no-resume', file: 'no-resume.mjs', innocent: true },
  { slug: 'no-cursor', file: 'no-cursor.mjs', innocent: true },
  { slug: 'polite', file: 'polite.mjs', env: leaving, innocent: true },
  { slug: 'polite-deaf', file: 'polite.mjs', env: { ...leaving, DEAF: '1' } },
  { slug: 'deaf', file: 'deaf.mjs' },
  { slug: 'flatterer', file: 'flatterer.mjs', neverDetects: true },
  { slug: 'torn-down', file: 'torn-down.mjs', neverDetects: true },
  { slug: 'torn-down-again', file: 'torn-down.mjs', env: { AGAIN: '1' }, neverDetects: true },
  { slug: 'slow', file: 'slow.mjs' },
  { slug: 'hanging', file: 'hanging.mjs' },
  { slug: 'stubborn', file: 'stubborn.mjs' },
  { slug: 'stormy', file: 'stormy.mjs', retryMs: 5000 },
  { slug: 'forgetful', file: 'forgetful.mjs' },
  { slug: 'half-event', file: 'half-event.mjs' },
  { slug: 'double', file: 'double.mjs' },
  { slug: 'jumpy', file: 'jumpy.mjs' },
  { slug: 'blind-404', file: 'blind-404.mjs' },
  { slug: 'greedy', file: 'greedy.mjs' },
  // A crash is seen where the wrapped command is the client itself, so each of these is a run of its own.
  {
    slug: 'crashing',
    file: 'crashing.mjs',
    env: { CRASH: 'signal' },
    only: ['drop-fin', 'regress', 'no-id', 'stall'],
  },
  ...flaws.map((flaw) => ({ slug: flaw, file: 'flawed.mjs', env: { FLAW: flaw } })),
];

export interface Prediction {
  /** What becomes of the call that was hit; `none` = there is nothing to judge. */
  readonly outcome: Outcome | 'none';
  /** Obligations that the client breaks, in alphabetical order; none = it is not blamed. */
  readonly blamed: readonly string[];
  /** The occasion lies outside what a client could know or what the rule is valid for. */
  readonly moot?: true;
  /** As good as `outcome`: which of them it is depends on what reaches the client first. */
  readonly or?: Outcome | undefined;
  readonly why: string;
}

/** Columns, outcome, obligations broken (with `moot` for outside any duty), and why. Later cells go before earlier ones. */
type Cells = readonly [
  on: readonly string[] | 'all',
  outcome: Prediction['outcome'],
  blamed: readonly string[] | 'moot',
  why: string,
];

interface Row {
  readonly client: string;
  /** The row that this one is but for its own cells. */
  readonly like?: string;
  readonly cells: readonly Cells[];
}

const drops = ['drop-fin', 'drop-reset', 'drop-clean', 'cut-event', 'flap', 'hint-retry'];
/** Faults that break the stream after an id and do their work on the resumption. */
const onResume = [
  'expire-resume',
  'regress',
  'skip-answer',
  'skip-events',
  'silence',
  'fresh-ids',
  'from-start',
  'repeat',
  'foreign',
  'diverge',
  'diverge-again',
  'wrap',
  'truncate',
  'refuse-resume',
];
/** Everything that breaks a call's stream after an id. */
const broken = [...drops, ...onResume, 'restart', 'lost-end'];

const cursor = ['validates-resumed-cursor'];
const replay = ['notices-missing-replay'];
const hurry = ['reconnects-with-pause', 'respects-retry'];

const rows: readonly Row[] = [
  {
    client: 'careful',
    cells: [
      ['all', 'recovered', [], 'resumes what it can, and what it cannot it issues again in a new session'],
      [['diverge'], 'recovered', 'moot', 'the silence after it makes it start anew; nobody could have known'],
    ],
  },
  { client: 'transparent', like: 'careful', cells: [] },
  {
    client: 'no-get',
    like: 'careful',
    cells: [[['refuse-get'], 'none', [], 'never asks for the stand-alone stream']],
  },
  { client: 'polite', like: 'careful', cells: [] },
  {
    client: 'loud',
    like: 'careful',
    cells: [
      [['lost-part'], 'surfaced', [], 'looks at every id, and rejects at the gap: more than anybody asks'],
      [
        ['collide'],
        'surfaced',
        [],
        'keeps a digest of every id, and rejects the call: more than anybody asks',
      ],
      [
        [
          ...['no-id', 'restart', 'regress', 'skip-answer', 'skip-events', 'silence', 'fresh-ids', 'foreign'],
          ...['diverge-again', 'wrap', 'truncate', 'lost-stall', 'lost-end', 'refuse-resume', 'misroute'],
        ],
        'surfaced',
        [],
        'rejects the call as soon as it knows, and goes on in its session',
      ],
      [['diverge'], 'surfaced', 'moot', 'rejects for the silence that follows; nobody could have known'],
      [['expire-call', 'expire-resume'], 'reset', [], 'begins a new session, then rejects the call'],
    ],
  },
  {
    client: 'no-resume',
    like: 'loud',
    cells: [
      [
        [...broken, 'stall'],
        'surfaced',
        [],
        'rejects at the break, which is legal: resuming is a SHOULD and the call is settled',
      ],
    ],
  },
  {
    client: 'no-cursor',
    like: 'no-resume',
    cells: [
      [['lost-part', 'collide'], 'recovered', [], 'keeps no ids, and has its answer'],
      [['refuse-get'], 'none', [], 'never asks for the stand-alone stream'],
      [
        [...broken, 'stall'],
        'surfaced',
        [],
        'no cursor, no contract: it looks for its answer on a fresh stream, and rejects the call',
      ],
    ],
  },

  {
    client: 'deaf',
    cells: [
      ['all', 'recovered', [], 'resumes with its cursor and gets the answer, or is not concerned'],
      [['no-id'], 'timed-out', ['settles-broken-call'], 'has no cursor, and waits for nothing'],
      [['stall', 'lost-stall', 'lost-end'], 'timed-out', [], 'a timeout is all that is asked of it here'],
      [['restart', 'silence', 'fresh-ids', 'truncate'], 'timed-out', replay, 'trusts the 200'],
      [['regress', 'skip-answer', 'foreign'], 'timed-out', cursor, 'takes any id for the next'],
      [['skip-events'], 'accepted', cursor, 'has its answer, and a part of the progress never came'],
      [['diverge'], 'timed-out', 'moot', 'nobody could have known'],
      [['diverge-again'], 'timed-out', ['checks-replayed-digest'], 'keeps no digest'],
      [
        ['expire-call'],
        'surfaced',
        ['reinitialises-after-404'],
        'rejects the call at once, and goes on under the dead session',
      ],
      [['expire-resume'], 'timed-out', ['reinitialises-after-404'], 'the 404 settles nothing'],
      [['refuse-resume'], 'timed-out', ['settles-broken-call'], 'the refusal settles nothing'],
      [['misroute'], 'timed-out', [], 'goes on waiting for its own, as it should, within its bounds'],
    ],
  },
  {
    client: 'polite-deaf',
    like: 'deaf',
    cells: [[['expire-call'], 'reset', [], 'rejects, leaves, and begins anew: a new session after a 404']],
  },
  { client: 'flatterer', like: 'deaf', cells: [] },
  {
    client: 'torn-down',
    like: 'deaf',
    cells: [
      [
        [
          ...['no-id', 'stall', 'lost-stall', 'lost-end', 'restart', 'silence', 'fresh-ids', 'truncate'],
          ...['regress', 'skip-answer', 'foreign', 'diverge', 'diverge-again', 'expire-resume'],
          ...['refuse-resume', 'misroute'],
        ],
        'undetermined',
        [],
        'its runner ends it before its own timeout would have: nobody noticed, and nobody failed to',
      ],
    ],
  },
  { client: 'torn-down-again', like: 'torn-down', cells: [] },
  {
    client: 'slow',
    like: 'deaf',
    cells: [[broken, 'timed-out', ['resumes-after-drop'], 'does nothing about a break']],
  },
  {
    client: 'hanging',
    like: 'deaf',
    cells: [
      [['no-id', 'refuse-resume'], 'hung', ['settles-broken-call'], 'and has no timeout'],
      [['stall', 'lost-stall'], 'hung', ['bounds-its-wait'], 'has no timeout'],
      [['lost-end'], 'stuck', ['bounds-its-wait'], 'every resumption ends, and it has no timeout'],
      [['restart', 'silence', 'fresh-ids', 'truncate'], 'hung', replay, 'trusts the 200'],
      [['regress', 'skip-answer', 'foreign'], 'hung', cursor, 'takes any id for the next'],
      [['diverge'], 'hung', 'moot', 'nobody could have known'],
      [['diverge-again'], 'hung', ['checks-replayed-digest'], 'keeps no digest'],
      [['expire-resume'], 'hung', ['reinitialises-after-404'], 'the 404 settles nothing'],
      [['misroute'], 'stuck', ['matches-responses'], 'waits for its own without a bound'],
    ],
  },
  {
    client: 'stubborn',
    like: 'deaf',
    cells: [
      [['stall'], 'recovered', [], 'abandons a silent stream and resumes it'],
      [
        ['no-id'],
        'stuck',
        ['reconnects-with-pause', 'settles-broken-call'],
        'asks for a stream again and again, at its own pace, though nothing can bring the answer',
      ],
      [['lost-stall', 'lost-end'], 'stuck', ['bounds-its-wait'], 'resumes for ever'],
      [['restart', 'silence', 'fresh-ids', 'truncate'], 'stuck', replay, 'resumes for ever'],
      [['regress', 'skip-answer', 'foreign'], 'stuck', cursor, 'resumes for ever'],
      [['diverge'], 'stuck', 'moot', 'nobody could have known'],
      [['diverge-again'], 'stuck', ['checks-replayed-digest'], 'resumes for ever'],
      [['expire-resume'], 'stuck', ['reinitialises-after-404'], 'asks the dead session for ever'],
      [['refuse-resume'], 'stuck', ['settles-broken-call'], 'asks for ever'],
      [['misroute'], 'stuck', ['matches-responses'], 'waits for its own without a bound'],
    ],
  },
  {
    client: 'stormy',
    like: 'deaf',
    cells: [
      [
        [...drops, 'from-start', 'repeat', 'wrap'],
        'recovered',
        hurry,
        'a dozen reconnects at once, before `retry`',
      ],
      [['lost-end', 'misroute'], 'timed-out', hurry, 'the same, at every end of its stream'],
      [['restart', 'silence', 'fresh-ids', 'truncate'], 'timed-out', [...replay, ...hurry], 'and deaf'],
      [['regress', 'skip-answer', 'foreign'], 'timed-out', [...cursor, ...hurry], 'and deaf'],
      [['skip-events'], 'accepted', [...cursor, ...hurry], 'and deaf'],
      [['diverge'], 'timed-out', hurry, 'nobody could have known what came, but it stormed'],
      [['diverge-again'], 'timed-out', ['checks-replayed-digest', ...hurry], 'and deaf'],
      [['expire-resume'], 'timed-out', ['reinitialises-after-404', ...hurry], 'and deaf'],
      [['refuse-resume'], 'timed-out', ['settles-broken-call', ...hurry], 'and deaf'],
    ],
  },
  {
    client: 'forgetful',
    like: 'deaf',
    cells: [
      [['flap', 'lost-end'], 'timed-out', ['keeps-cursor'], 'after an empty leg it has no cursor any more'],
    ],
  },
  {
    client: 'half-event',
    like: 'deaf',
    cells: [
      [['cut-event'], 'accepted', ['discards-unfinished-event'], 'resumes behind an event that it never had'],
    ],
  },
  {
    client: 'double',
    like: 'deaf',
    cells: [
      [
        broken,
        'overreacted',
        ['executes-once', 'survives-controls'],
        'runs the call again in its session instead of resuming it',
      ],
      [['lost-end', 'no-id', 'misroute'], 'overreacted', ['executes-once'], 'runs the call again'],
    ],
  },
  {
    client: 'jumpy',
    like: 'deaf',
    cells: [
      [broken, 'overreacted', ['survives-controls'], 'ends a session that could have been resumed'],
      [
        ['restart', 'lost-end', 'no-id', 'misroute', 'expire-call'],
        'recovered',
        [],
        'here the session or the answer is truly lost, and to begin anew is right',
      ],
    ],
  },
  {
    client: 'blind-404',
    like: 'careful',
    cells: [
      [
        ['expire-call', 'expire-resume'],
        'surfaced',
        ['reinitialises-after-404'],
        'rejects the call, and keeps the dead session',
      ],
    ],
  },
  {
    client: 'greedy',
    like: 'deaf',
    cells: [[['change-id'], 'accepted', ['keeps-session-id'], 'goes on under the id of a stranger']],
  },
  {
    client: 'crashing',
    like: 'deaf',
    cells: [
      [['drop-fin'], 'crashed', ['survives-controls'], 'dies of a break'],
      [['regress'], 'crashed', ['survives-controls'], 'dies of the break, and never sees the resumption'],
      [['no-id'], 'crashed', ['settles-broken-call'], 'dies of a break'],
    ],
  },

  {
    client: 'unchecked',
    like: 'careful',
    cells: [[['skip-events'], 'accepted', cursor, 'nothing falls silent here, so nothing but the id tells']],
  },
  {
    client: 'unprobing',
    like: 'careful',
    cells: [
      [['stall', 'lost-stall'], 'timed-out', [], 'a timeout is all that is asked of it here'],
      [['restart', 'silence', 'truncate'], 'timed-out', replay, 'asks no silent stream'],
      [['diverge'], 'timed-out', 'moot', 'nobody could have known'],
    ],
  },
  {
    client: 'digestless',
    like: 'careful',
    cells: [
      [
        ['diverge-again'],
        'timed-out',
        ['checks-replayed-digest'],
        'takes the other content for a repetition',
      ],
      [['diverge'], 'timed-out', 'moot', 'nobody could have known'],
    ],
  },
  {
    client: 'boundless',
    like: 'careful',
    cells: [
      [['stall', 'lost-stall'], 'hung', ['bounds-its-wait'], 'has no bound on a stream that is silent'],
    ],
  },
  {
    client: 'adopting',
    like: 'careful',
    cells: [[['change-id'], 'accepted', ['keeps-session-id'], 'goes on under the id of a stranger']],
  },
  {
    client: 'unresuming',
    like: 'careful',
    cells: [
      [broken, 'timed-out', ['resumes-after-drop'], 'does nothing about a break that could be resumed'],
      [['stall', 'lost-stall'], 'timed-out', [], 'leaves the silent stream, and waits: within its bounds'],
    ],
  },
  {
    client: 'clingy',
    like: 'careful',
    cells: [
      ['all', 'recovered', ['matches-responses'], 'comes back for every answer that it has'],
      [['diverge'], 'recovered', ['matches-responses'], 'comes back for every answer that it has'],
    ],
  },
  {
    client: 'confused',
    like: 'careful',
    cells: [[['misroute'], 'accepted', ['matches-responses'], "takes another request's answer"]],
  },
  {
    client: 'unsettling',
    like: 'careful',
    cells: [
      [['no-id', 'refuse-resume'], 'timed-out', ['settles-broken-call'], 'waits though nothing can come'],
    ],
  },
  {
    client: 'pushy',
    like: 'careful',
    cells: [
      [['refuse-get'], 'recovered', ['reconnects-with-pause'], 'two dozen GETs without a pause; calls go on'],
    ],
  },
  {
    client: 'hasty',
    like: 'careful',
    cells: [[broken, 'recovered', ['respects-retry'], 'comes back after 10 ms where 100 were asked for']],
  },
  {
    client: 'repeating',
    like: 'careful',
    cells: [
      [['refuse-resume'], 'overreacted', ['executes-once'], 'runs a call again that the server had begun'],
    ],
  },
  {
    client: 'halving',
    like: 'careful',
    cells: [
      [['cut-event'], 'accepted', ['discards-unfinished-event'], 'resumes behind an event that it never had'],
    ],
  },
  {
    client: 'forgetting',
    like: 'careful',
    cells: [
      [['flap', 'lost-end'], 'timed-out', ['keeps-cursor'], 'after an empty leg it has no cursor any more'],
    ],
  },
];

/** What was written down before the first run. */
export function firstPrediction(client: string, column: string): Prediction {
  const row = rows.find((each) => each.client === client);
  if (row === undefined) throw new Error(`no prediction for ${client}`);
  const cell = row.cells.findLast(([on]) => on === 'all' || on.includes(column));
  if (cell !== undefined) {
    const [, outcome, blamed, why] = cell;
    return blamed === 'moot'
      ? { outcome, blamed: [], moot: true, why }
      : { outcome, blamed: [...blamed].sort(), why };
  }
  if (row.like === undefined) throw new Error(`no prediction for ${client} under ${column}`);
  return firstPrediction(row.like, column);
}

/** Whether this client is admitted to this column at all. */
export function isAdmitted({ only }: WardClient, { slug }: Column): boolean {
  return only === undefined || only.includes(slug);
}
