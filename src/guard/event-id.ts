/**
 * What the step from one event id to the next says under a contract. Exact at any size: counters wrap at
 * 2^31, 2^53 and 2^64, just where a double stops telling neighbours apart.
 */
import type { Contract } from './contract.ts';

/** `unknown`: the contract lets nobody conclude anything from these two ids. */
export type Step = 'successor' | 'repeat' | 'regression' | 'gap' | 'other-epoch' | 'unknown';

export function compareIds(contract: Contract, lastSeen: string, first: string): Step {
  switch (contract) {
    case 'opaque':
      return 'unknown';
    case 'monotonic:stream':
      return compareNumbers(readNumber(lastSeen), readNumber(first));
    case 'monotonic:session': {
      const step = compareNumbers(readNumber(lastSeen), readNumber(first));
      return step === 'gap' ? 'unknown' : step;
    }
    case 'epoch': {
      const before = readTagged(lastSeen);
      const after = readTagged(first);
      if (before === undefined || after === undefined) return 'unknown';
      // The tag first: a number of another epoch is not comparable at all.
      return before.tag === after.tag ? compareNumbers(before.seq, after.seq) : 'other-epoch';
    }
  }
}

/** The number in an id, without its epoch; undefined where there is none. */
export function sequenceOf(contract: Contract, id: string): bigint | undefined {
  return contract === 'epoch' ? readTagged(id)?.seq : readNumber(id);
}

/** The epoch tag of an id; undefined where the contract has none or the id does not keep to it. */
export function epochOf(contract: Contract, id: string): string | undefined {
  return contract === 'epoch' ? readTagged(id)?.tag : undefined;
}

function compareNumbers(before: bigint | undefined, after: bigint | undefined): Step {
  if (before === undefined || after === undefined) return 'unknown';
  if (after === before) return 'repeat';
  if (after < before) return 'regression';
  return after === before + 1n ? 'successor' : 'gap';
}

/** A sign, as a counter has that wrapped into the negative, and leading zeros are read. No counter has 100 digits. */
function readNumber(id: string): bigint | undefined {
  return id.length <= 100 && /^-?[0-9]+$/.test(id) ? BigInt(id) : undefined;
}

/** The number follows the last colon, so that a tag may hold colons itself. */
function readTagged(id: string): { readonly tag: string; readonly seq: bigint } | undefined {
  const colon = id.lastIndexOf(':');
  const seq = readNumber(id.slice(colon + 1));
  return colon < 1 || seq === undefined ? undefined : { tag: id.slice(0, colon), seq };
}
