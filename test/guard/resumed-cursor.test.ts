import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { StreamEpochDesyncError, validateResumedCursor, validateResumedId } from '../../src/guard/index.ts';

const caught = (work: () => void): StreamEpochDesyncError => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(StreamEpochDesyncError);
    return error as StreamEpochDesyncError;
  }
  throw new Error('nothing was thrown');
};

describe('validateResumedCursor, the first seed', () => {
  test('accepts the immediate successor in the same epoch', () => {
    expect(() => validateResumedCursor(8412, 8413, true)).not.toThrow();
  });

  test('8412 then 17 is a cursor regression, in the words of the document', () => {
    const error = caught(() => validateResumedCursor(8412, 17, true));
    expect(error.message).toBe(
      'cursor regression: last_seen=8412, first_replayed=17; server buffer wrapped or counter restarted',
    );
    expect(error).toMatchObject({ signature: 'regression', lastSeenId: '8412', firstReplayedId: '17' });
  });

  test('the same id again is a regression too', () => {
    expect(caught(() => validateResumedCursor(5, 5, true)).signature).toBe('regression');
  });

  test('a jump is a gap that names the lost events', () => {
    const error = caught(() => validateResumedCursor(1041, 1045, true));
    expect(error.message).toBe('event gap across reconnect: expected 1042, got 1045; events 1042..1044 lost');
    expect(error.signature).toBe('gap');
  });

  test('the epoch is looked at before the numbers, also where they would fit', () => {
    const error = caught(() => validateResumedCursor(8412, 8413, false));
    expect(error.message).toBe(
      'resumed into a different stream epoch: last_seen=8412, first_replayed=8413; buffer was reset or session recycled',
    );
    expect(error.signature).toBe('other-epoch');
  });

  test.each([2n ** 31n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n, 10n ** 40n])(
    'is exact at %s',
    (last) => {
      expect(() => validateResumedCursor(last, last + 1n, true)).not.toThrow();
      expect(caught(() => validateResumedCursor(last, last, true)).signature).toBe('regression');
      expect(caught(() => validateResumedCursor(last, last + 2n, true)).signature).toBe('gap');
    },
  );

  test('takes numbers and bigints together', () => {
    expect(() => validateResumedCursor(Number.MAX_SAFE_INTEGER, 2n ** 53n, true)).not.toThrow();
  });

  test('refuses a number that stands for two integers', () => {
    expect(() => validateResumedCursor(2 ** 53, 2 ** 53 + 2, true)).toThrow(RangeError);
    expect(() => validateResumedCursor(1, 1.5, true)).toThrow(/firstReplayedId: a bigint/);
  });

  test('a negative counter, wrapped at 2^31, is a regression', () => {
    expect(caught(() => validateResumedCursor(2 ** 31 - 1, -(2 ** 31), true)).signature).toBe('regression');
  });

  test('agrees with the document on any two integers', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.boolean(), (last, first, sameEpoch) => {
        const expected = !sameEpoch
          ? 'other-epoch'
          : first <= last
            ? 'regression'
            : first === last + 1n
              ? undefined
              : 'gap';
        let found: string | undefined;
        try {
          validateResumedCursor(last, first, sameEpoch);
        } catch (error) {
          found = (error as StreamEpochDesyncError).signature;
        }
        expect(found).toBe(expected);
      }),
      { seed: 4 },
    );
  });
});

describe('validateResumedId, the condition of validity as code', () => {
  const signature = (...args: Parameters<typeof validateResumedId>) => {
    try {
      validateResumedId(...args);
      return undefined;
    } catch (error) {
      return (error as StreamEpochDesyncError).signature;
    }
  };

  test('opaque ids are not compared, whatever they look like', () => {
    expect(signature('opaque', '8412', '17')).toBeUndefined();
    expect(signature('opaque', 'b', 'a')).toBeUndefined();
  });

  test('without a persisted cursor the server may begin anew', () => {
    expect(signature('monotonic:stream', '', '17')).toBeUndefined();
    expect(signature('epoch', '', '9:1')).toBeUndefined();
  });

  test('under monotonic:session a gap is the traffic of other streams', () => {
    expect(signature('monotonic:session', '10', '17')).toBeUndefined();
    expect(signature('monotonic:session', '10', '10')).toBe('regression');
    expect(signature('monotonic:session', '10', '9')).toBe('regression');
  });

  test('tags are compared before numbers', () => {
    expect(signature('epoch', '3:8412', '3:8413')).toBeUndefined();
    expect(signature('epoch', '3:8412', '4:8413')).toBe('other-epoch');
    expect(signature('epoch', '3:8412', '4:1')).toBe('other-epoch');
    expect(signature('epoch', '3:8412', '3:17')).toBe('regression');
    expect(signature('epoch', '3:8412', '3:8414')).toBe('gap');
    expect(signature('epoch', 'a:b:7', 'a:b:8')).toBeUndefined();
    expect(signature('epoch', 'a:b:7', 'a:c:8')).toBe('other-epoch');
  });

  test('another epoch is told with the ids as they stood on the wire', () => {
    expect(caught(() => validateResumedId('epoch', '3:8412', '4:1'))).toMatchObject({
      lastSeenId: '3:8412',
      firstReplayedId: '4:1',
      message: expect.stringContaining('last_seen=3:8412, first_replayed=4:1'),
    });
  });

  test('leading zeros and signs are numbers', () => {
    expect(signature('monotonic:stream', '0099', '0100')).toBeUndefined();
    expect(signature('monotonic:stream', '0099', '100')).toBeUndefined();
    expect(signature('monotonic:stream', '-2', '-1')).toBeUndefined();
    expect(signature('monotonic:stream', '-1', '0')).toBeUndefined();
    expect(signature('monotonic:stream', '2147483647', '-2147483648')).toBe('regression');
  });

  test('ids beyond safe integers are compared exactly', () => {
    expect(signature('monotonic:stream', '9007199254740991', '9007199254740992')).toBeUndefined();
    expect(signature('monotonic:stream', '9007199254740992', '9007199254740993')).toBeUndefined();
    expect(signature('monotonic:stream', '9007199254740993', '9007199254740992')).toBe('regression');
    expect(signature('monotonic:stream', '18446744073709551615', '0')).toBe('regression');
    expect(signature('monotonic:stream', '18446744073709551615', '18446744073709551616')).toBeUndefined();
  });

  test('an id that does not keep to the contract is not compared', () => {
    expect(signature('monotonic:stream', '5', 'ünï')).toBeUndefined();
    expect(signature('monotonic:stream', '5', '')).toBeUndefined();
    expect(signature('monotonic:stream', '5', '0x6')).toBeUndefined();
    expect(signature('epoch', '3:5', '17')).toBeUndefined();
    expect(signature('epoch', ':5', ':4')).toBeUndefined();
    expect(signature('monotonic:stream', '5', '9'.repeat(101))).toBeUndefined();
  });
});
