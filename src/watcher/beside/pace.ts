/** Reconnecting without a pause, or for ever at the same pace. */

import type { Docket, Unit } from '../docket.ts';
import type { Exchange } from '../ledger/exchange.ts';
import type { Happening } from '../ledger/happening.ts';
import type { Session } from '../ledger/session.ts';
import type { Stream } from '../ledger/stream.ts';
import { streamOfCursor } from '../ledger/streams.ts';
import { recordingLag } from '../timing.ts';

/**
 * Five reconnects in a row within a tenth of a second each. No client waits that little by design: the SDKs
 * wait a second, EventSource some seconds. Slower ones are never a storm, however many they are.
 */
const stormGapMs = 100;
const stormCount = 5;
/** Six legs in a row that brought nothing, opened again at the same pace, are a loop without back-off. */
const fruitlessCount = 6;
/** The last pause of those against the first: a client that backs off has grown it by then. */
const growth = 1.5;

interface Pace {
  last: Exchange | undefined;
  /** From the end of a response that the client did not end itself to the next GET, in ms. */
  readonly gaps: number[];
  /** The same, and from one GET to the next where the client ended the former. */
  readonly periods: number[];
  stormy: boolean;
  steady: boolean;
}

export function createPaceJudge(): (told: Happening, docket: Docket) => void {
  const paces = new Map<Stream | Session, Pace>();
  return (told, docket) => {
    if (told.type !== 'get') return;
    const { exchange } = told;
    const { cursor } = exchange.fact;
    const stream = cursor === undefined ? undefined : streamOfCursor(exchange.session, cursor);
    const key = stream !== undefined && stream.born === 'POST' ? stream : exchange.session;
    let pace = paces.get(key);
    if (pace === undefined) {
      pace = { last: undefined, gaps: [], periods: [], stormy: false, steady: false };
      paces.set(key, pace);
    }
    const { last } = pace;
    note(pace, exchange);
    const [call] = stream?.calls ?? [];
    judge(
      pace,
      last,
      exchange,
      stream,
      call === undefined ? { session: exchange.session, stream } : { call },
      docket,
    );
  };
}

function note(pace: Pace, exchange: Exchange): void {
  const { last } = pace;
  pace.last = exchange;
  const end = last?.end;
  if (last !== undefined && (end === undefined || end.by === 'client')) {
    // A client that drops what it has just opened, to open it again: how long it had it open counts as a pause.
    pace.gaps.length = 0;
    pace.periods.push(exchange.start.at - last.start.at);
    return;
  }
  if (last === undefined || end === undefined || movedOn(last, exchange)) {
    pace.gaps.length = 0;
    pace.periods.length = 0;
    return;
  }
  const gap = exchange.start.at - end.at + recordingLag(end);
  pace.gaps.push(gap);
  pace.periods.push(gap);
}

/** It took something of what the former response brought. From the same cursor again it took nothing. */
function movedOn(last: Exchange, next: Exchange): boolean {
  const { cursor } = next.fact;
  return bears(last) && (cursor === undefined || cursor !== last.fact.cursor);
}

function bears(exchange: Exchange): boolean {
  return exchange.leg?.frames.some((frame) => frame.content !== undefined) === true;
}

function judge(
  pace: Pace,
  last: Exchange | undefined,
  exchange: Exchange,
  stream: Stream | undefined,
  unit: Unit,
  docket: Docket,
): void {
  const { gaps, periods } = pace;
  const askedMs = (stream ?? last?.leg?.stream)?.legs
    .flatMap((leg) => leg.frames)
    .findLast((frame) => frame.retryMs !== undefined)?.retryMs;
  const hurried = periods.slice(-stormCount);
  const shown = `${periods.length} responses to its GET in a row that brought no event`;
  const sighting = { kind: 'reconnected-often', spot: exchange.start, exchange: exchange.n, shown } as const;
  if (
    !pace.stormy &&
    hurried.length === stormCount &&
    hurried.every((gap) => gap < Math.min(stormGapMs, askedMs ?? stormGapMs))
  ) {
    pace.stormy = true;
    const one = docket.beside(unit, sighting, {
      outcome: 'overreacted',
      confidence: 'proven',
      act: last?.start,
      did: `reconnected ${stormCount} times in a row, each time within ${Math.round(Math.max(...hurried))} ms`,
    });
    one.flags.add('storm');
    for (const other of docket.openIn(exchange.session)) other.flags.add('storm');
  }
  if (pace.steady || pace.stormy || askedMs !== undefined || gaps.length < fruitlessCount) return;
  pace.steady = true;
  const [first = 0] = gaps;
  const now = gaps.at(-1) ?? 0;
  const grows = now >= first * growth;
  docket.beside(
    unit,
    { ...sighting, control: false },
    {
      outcome: grows ? 'recovered' : 'overreacted',
      confidence: 'proven',
      act: exchange.start,
      did: `${grows ? 'let its pauses grow' : 'kept its pace'}: ${Math.round(first)} ms at first, ${Math.round(now)} ms before the last of ${gaps.length} reconnects`,
    },
  );
}
