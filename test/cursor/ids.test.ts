import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contract, contracts } from '../../src/cursor/contract.ts';
import { classifyStep, formatId, type IdPlace, isAmongNext } from '../../src/cursor/ids.ts';

const at = (stream: number, seq: number, epoch = 1): IdPlace => ({ epoch, stream, seq });

describe('formatId', () => {
  test.each([
    ['monotonic:stream', at(1, 1), {}, '1'],
    ['monotonic:stream', at(1, 17), {}, '17'],
    ['monotonic:stream', at(2, 1), {}, '1000001'],
    ['monotonic:stream', at(3, 5), { stride: 100 }, '205'],
    // The seed document's story: ids around 8412 in epoch one, then a restarted counter that gives 17.
    ['monotonic:stream', at(1, 12), { first: 8401 }, '8412'],
    ['monotonic:stream', at(1, 17, 2), { first: 8401 }, '17'],
    ['monotonic:stream', at(2, 17, 2), { first: 8401, stride: 100 }, '117'],
    ['monotonic:session', at(1, 12), { first: 8401 }, '8412'],
    ['monotonic:session', at(1, 17, 2), { first: 8401 }, '17'],
    // One counter for all streams: the stream is not in the id.
    ['monotonic:session', at(4, 12), {}, '12'],
    ['epoch', at(1, 17), {}, '1:17'],
    ['epoch', at(2, 1, 3), { stride: 100, first: 50 }, '3:101'],
  ] as const)('%s %j %j gives %s', (contract, place, options, id) => {
    expect(formatId(contract, place, options)).toBe(id);
  });

  test('ids of the streams of a session never meet, and each is the successor of the one before', () => {
    const place = fc.record({
      epoch: fc.integer({ min: 1, max: 3 }),
      stream: fc.integer({ min: 1, max: 9 }),
      seq: fc.integer({ min: 1, max: 50 }),
    });
    const options = { first: 8401, stride: 50 };
    fc.assert(
      fc.property(fc.constantFrom<Contract>('monotonic:stream', 'epoch'), place, place, (contract, a, b) => {
        const other = { ...b, epoch: a.epoch };
        const same = a.stream === other.stream && a.seq === other.seq;
        expect(formatId(contract, a, options) === formatId(contract, other, options)).toBe(same);
        if (a.seq < 50) {
          const next = formatId(contract, { ...a, seq: a.seq + 1 }, options);
          expect(classifyStep(contract, formatId(contract, a, options), next)).toBe('successor');
        }
      }),
      { seed: 42, numRuns: 500 },
    );
  });

  test.each([
    ['opaque', at(1, 1), 'found "opaque"'],
    ['epoch', at(0, 1), 'stream from 1 was expected, found 0'],
    ['epoch', at(1, 0), 'seq from 1 was expected, found 0'],
    ['epoch', at(1, 1, 1.5), 'epoch from 1 was expected, found 1.5'],
    [
      'monotonic:stream',
      at(2, 1_000_001),
      'at most 1000000 events in a stream were expected, found event 1000001 of stream 2',
    ],
  ] as const)('%s %j is an error', (contract, place, message) => {
    expect(() => formatId(contract, place)).toThrow(message);
  });

  test('one session counter has no ranges to leave', () => {
    expect(formatId('monotonic:session', at(1, 1_000_001))).toBe('1000001');
  });
});

describe('classifyStep', () => {
  test.each([
    // The seed document's three signatures and its coherent case.
    ['monotonic:stream', '8412', '8413', 'successor'],
    ['monotonic:stream', '8412', '17', 'regression'],
    ['monotonic:stream', '8412', '8415', 'gap'],
    ['monotonic:stream', '8412', '8412', 'repeat'],
    // Beyond 2^53 a number would call these equal.
    ['monotonic:stream', '9007199254740992', '9007199254740993', 'successor'],
    ['monotonic:stream', '9007199254740993', '9007199254740993', 'repeat'],
    ['monotonic:stream', '18446744073709551615', '0', 'regression'],
    // A counter that wrapped into the negative, one that was cut.
    ['monotonic:stream', '2147483647', '-2147483648', 'regression'],
    ['monotonic:stream', '-1', '0', 'successor'],
    ['monotonic:stream', '1041', '0042', 'regression'],
    ['monotonic:stream', '+7', '08', 'successor'],
    // Not numbers.
    ['monotonic:stream', '', '1', 'incomparable'],
    ['monotonic:stream', '5', '', 'incomparable'],
    ['monotonic:stream', '5', '6.0', 'incomparable'],
    ['monotonic:stream', '5', '0x6', 'incomparable'],
    ['monotonic:stream', '5', ' 6', 'incomparable'],
    ['monotonic:stream', '5', '1e1', 'incomparable'],
    ['monotonic:stream', '5', '6\n', 'incomparable'],
    ['monotonic:stream', '5', '--6', 'incomparable'],
    ['monotonic:stream', '5', '٦', 'incomparable'],
    ['monotonic:stream', 'abc', '6', 'incomparable'],
    ['monotonic:stream', '5', '1:6', 'incomparable'],
    ['monotonic:stream', '5', '9'.repeat(1_000_000), 'incomparable'],
    // Other streams use numbers of the session's counter too, so a jump forward says nothing.
    ['monotonic:session', '8412', '8413', 'successor'],
    ['monotonic:session', '8412', '8420', 'incomparable'],
    ['monotonic:session', '8412', '17', 'regression'],
    ['monotonic:session', '8412', '8412', 'repeat'],
    // The tag first; across epochs numbers mean nothing.
    ['epoch', '1:8412', '1:8413', 'successor'],
    ['epoch', '1:8412', '1:8412', 'repeat'],
    ['epoch', '1:8412', '1:17', 'regression'],
    ['epoch', '1:8412', '1:8420', 'gap'],
    ['epoch', '1:8412', '2:8413', 'other-epoch'],
    ['epoch', '1:8412', '2:17', 'other-epoch'],
    ['epoch', '1:8412', '01:8413', 'other-epoch'],
    ['epoch', 'a:b:1', 'a:b:2', 'successor'],
    ['epoch', 'a:b:1', 'a:c:2', 'other-epoch'],
    ['epoch', '8412', '17', 'incomparable'],
    ['epoch', '1:8412', '17', 'incomparable'],
    ['epoch', '1:8412', ':17', 'incomparable'],
    ['epoch', '1:8412', '1:', 'incomparable'],
    ['epoch', '', '1:1', 'incomparable'],
    ['opaque', '8412', '17', 'incomparable'],
    ['opaque', '8412', '8413', 'incomparable'],
  ] as const)('%s: %s then %s is %s', (contract, lastSeen, first, step) => {
    expect(classifyStep(contract, lastSeen, first)).toBe(step);
  });

  test('agrees with whole numbers wherever they are exact, and never throws', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        const step = a === b ? 'repeat' : b < a ? 'regression' : b === a + 1 ? 'successor' : 'gap';
        expect(classifyStep('monotonic:stream', String(a), String(b))).toBe(step);
      }),
      { seed: 42 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...contracts), fc.string(), fc.string(), (contract, a, b) => {
        expect(classifyStep(contract, a, b)).toBeTypeOf('string');
      }),
      { seed: 42 },
    );
  });
});

describe('isAmongNext', () => {
  test.each([
    ['monotonic:stream', '8', '9', 1, true],
    ['monotonic:stream', '8', '9', 0, false],
    ['monotonic:stream', '8', '11', 3, true],
    ['monotonic:stream', '8', '11', 2, false],
    ['monotonic:stream', '8', '8', 3, false],
    ['monotonic:stream', '8', '7', 3, false],
    ['monotonic:stream', '8', 'x', 3, false],
    ['epoch', '1:8', '1:11', 3, true],
    ['epoch', '1:8', '1:12', 3, false],
    ['epoch', '1:8', '2:9', 3, false],
    // Other streams use numbers too, and opaque ids say nothing.
    ['monotonic:session', '8', '10', 3, false],
    ['opaque', '8', '9', 3, false],
  ] as const)('%s: after %s, %s is one of the next %i: %s', (contract, last, id, count, expected) => {
    expect(isAmongNext(contract, last, id, count)).toBe(expected);
  });
});
