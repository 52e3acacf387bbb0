/**
 * Event ids that the proxy owns, and what a step from one id to the next says under a contract.
 * The comparison is the one of the seed document "what structural signals indicate": successor,
 * regression, gap; the epoch tag first where ids carry one; nothing at all where ids are opaque.
 */
import type { Contract } from './contract.ts';

export interface IdPlace {
  /** Incarnation of the session's numbering, from 1. */
  readonly epoch: number;
  /** Ordinal of the stream in its session, from 1. */
  readonly stream: number;
  /** Position in the stream, from 1; under `monotonic:session` in the session. */
  readonly seq: number;
}

export interface IdOptions {
  /** The first id of the first stream of epoch 1; default 1. */
  readonly first?: number;
  /** Numbers set aside for each stream, so that ids stay unique in the session; default 1 000 000. */
  readonly stride?: number;
}

/** The id at a place. A later epoch is a restarted counter: it begins low again, whatever `first` says. */
export function formatId(contract: Contract, place: IdPlace, options: IdOptions = {}): string {
  const { first = 1, stride = 1_000_000 } = options;
  checkPlace(place);
  switch (contract) {
    case 'opaque':
      throw new TypeError(
        'event id: a contract with ids of our own was expected, found "opaque", whose ids are upstream\'s',
      );
    case 'monotonic:session':
      return String((place.epoch === 1 ? first - 1 : 0) + place.seq);
    case 'monotonic:stream':
      return String(inRange(place, first, stride));
    case 'epoch':
      return `${place.epoch}:${inRange(place, first, stride)}`;
  }
}

function inRange(place: IdPlace, first: number, stride: number): number {
  if (place.seq > stride) {
    throw new RangeError(
      `event id: at most ${stride} events in a stream were expected, found event ${place.seq} of stream ${place.stream}; its id would be another stream's. Raise the stride`,
    );
  }
  return (place.epoch === 1 ? first - 1 : 0) + (place.stream - 1) * stride + place.seq;
}

function checkPlace({ epoch, stream, seq }: IdPlace): void {
  check('epoch', epoch);
  check('stream', stream);
  check('seq', seq);
}

function check(name: string, value: number): void {
  if (Number.isSafeInteger(value) && value >= 1) return;
  throw new RangeError(`event id: ${name} from 1 was expected, found ${value}`);
}

/**
 * `incomparable`: the contract lets nobody conclude anything from the two ids. Under
 * `monotonic:session` that includes a jump forward, for other streams use numbers too.
 */
export type Step = 'successor' | 'repeat' | 'regression' | 'gap' | 'other-epoch' | 'incomparable';

/** What the first id after a reconnect says, given the last one seen before it. */
export function classifyStep(contract: Contract, lastSeen: string, first: string): Step {
  switch (contract) {
    case 'opaque':
      return 'incomparable';
    case 'monotonic:stream':
      return compare(lastSeen, first);
    case 'monotonic:session': {
      const step = compare(lastSeen, first);
      return step === 'gap' ? 'incomparable' : step;
    }
    case 'epoch': {
      const before = splitEpoch(lastSeen);
      const after = splitEpoch(first);
      if (before === undefined || after === undefined) return 'incomparable';
      return before.tag === after.tag ? compare(before.seq, after.seq) : 'other-epoch';
    }
  }
}

/** Whether `id` is one of the `count` that follow `last` in its numbering; not where ids cannot be compared. */
export function isAmongNext(contract: Contract, last: string, id: string, count: number): boolean {
  const step = classifyStep(contract, last, id);
  if (step !== 'gap') return step === 'successor' && count > 0;
  const [from, to] = contract === 'epoch' ? [splitEpoch(last)!.seq, splitEpoch(id)!.seq] : [last, id];
  return readNumber(to)! - readNumber(from)! <= BigInt(count);
}

function compare(lastSeen: string, first: string): Step {
  const before = readNumber(lastSeen);
  const after = readNumber(first);
  if (before === undefined || after === undefined) return 'incomparable';
  if (after === before) return 'repeat';
  if (after < before) return 'regression';
  return after === before + 1n ? 'successor' : 'gap';
}

/**
 * Digits with an optional sign: a counter that wrapped is negative, one that was cut has leading
 * zeros, and both are numbers to a client that parses them. BigInt, because 2^53 is a place where
 * counters wrap. More digits than any counter has are no number.
 */
function readNumber(id: string): bigint | undefined {
  if (id.length > 100 || !/^[+-]?[0-9]+$/.test(id)) return undefined;
  return BigInt(id.startsWith('+') ? id.slice(1) : id);
}

function splitEpoch(id: string): { readonly tag: string; readonly seq: string } | undefined {
  const colon = id.lastIndexOf(':');
  return colon < 1 ? undefined : { tag: id.slice(0, colon), seq: id.slice(colon + 1) };
}
