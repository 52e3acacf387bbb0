import { describe, expect, test } from 'vitest';
import {
  createCheckpoint,
  digestEvent,
  type Expected,
  type ReceivedEvent,
  type ResumableConnection,
  resumeStream,
  SSEStreamDivergenceError,
  StreamEpochDesyncError,
  validateResumption,
} from '../../src/guard/index.ts';
import { fakeClock, settle } from './scripted.ts';

const last = { id: '1041', data: '{"part":41}' };
const checkpoint = createCheckpoint(last);
const expected: Expected = { contract: 'monotonic:stream', sessionId: 's1' };

const kindOf = (work: () => unknown): string => {
  try {
    return String(work());
  } catch (error) {
    expect(error).toBeInstanceOf(SSEStreamDivergenceError);
    return `throws ${(error as SSEStreamDivergenceError).kind}`;
  }
};
const verdict = (first: ReceivedEvent | undefined, more: object = {}, as: Expected = expected) =>
  kindOf(() => validateResumption(checkpoint, { status: 200, sessionId: null, first, ...more }, as));

describe('a checkpoint', () => {
  test('survives JSON', () => {
    const kept = JSON.parse(JSON.stringify(checkpoint));
    expect(validateResumption(kept, { status: 200, first: last }, expected)).toBe('replay');
  });

  test('has a digest of payload and id together', () => {
    expect(digestEvent('1041', 'a')).not.toBe(digestEvent('1041', 'b'));
    expect(digestEvent('1041', 'a')).not.toBe(digestEvent('1042', 'a'));
    expect(digestEvent('1', '2')).not.toBe(digestEvent('2', '1'));
    expect(digestEvent('é', '\u{1f600}')).toBe(digestEvent('é', '\u{1f600}'));
  });
});

describe('validateResumption, the second seed, in its order', () => {
  test('1: a status that is not 2xx ends the session, whatever the event says', () => {
    expect(verdict({ id: '1042', data: 'x' }, { status: 404 })).toBe('throws session-invalid');
    expect(verdict({ id: '1042', data: 'x' }, { status: 503 })).toBe('throws session-invalid');
    expect(verdict({ id: '1042', data: 'x' }, { status: 302 })).toBe('throws session-invalid');
  });

  test('1: another session id ends the session; none says nothing', () => {
    expect(verdict({ id: '1042', data: 'x' }, { sessionId: 's2' })).toBe('throws session-invalid');
    expect(verdict({ id: '1042', data: 'x' }, { sessionId: 's1' })).toBe('continue');
    expect(verdict({ id: '1042', data: 'x' }, { sessionId: null })).toBe('continue');
  });

  test('2: an id beyond the successor is a gap', () => {
    expect(verdict({ id: '1043', data: 'x' })).toBe('throws gap');
  });

  test('3: the last event again, digest and all, is a replay', () => {
    expect(verdict(last)).toBe('replay');
  });

  test('3: the last id with other content is a divergence', () => {
    expect(verdict({ id: '1041', data: '{"part":1}' })).toBe('throws divergence');
  });

  test('3: an id below the last, whose digest cannot agree, is a divergence', () => {
    expect(verdict({ id: '17', data: last.data })).toBe('throws divergence');
  });

  test('4: silence is told apart from every event', () => {
    expect(verdict(undefined)).toBe('silence');
  });

  test('an event without an id cannot be judged', () => {
    expect(verdict({ id: undefined, data: 'x' })).toBe('continue');
  });

  test('opaque ids are judged by the digest alone', () => {
    const opaque: Expected = { contract: 'opaque' };
    expect(verdict({ id: '17', data: 'x' }, {}, opaque)).toBe('continue');
    expect(verdict(last, {}, opaque)).toBe('replay');
    expect(verdict({ id: '1041', data: 'x' }, {}, opaque)).toBe('throws divergence');
  });

  test('an epoch is compared before its numbers', () => {
    const tagged = createCheckpoint({ id: '1:1041', data: 'x' });
    const judge = (id: string) =>
      kindOf(() =>
        validateResumption(tagged, { status: 200, first: { id, data: 'y' } }, { contract: 'epoch' }),
      );
    expect(judge('1:1042')).toBe('continue');
    expect(judge('2:1042')).toBe('throws other-epoch');
    expect(judge('1:1044')).toBe('throws gap');
  });

  test('carries the first seed as its cause', () => {
    const error = (() => {
      try {
        validateResumption(checkpoint, { status: 200, first: { id: '17', data: '' } }, expected);
      } catch (caught) {
        return caught as SSEStreamDivergenceError;
      }
      return undefined;
    })();
    expect(error?.cause).toBeInstanceOf(StreamEpochDesyncError);
    expect(error?.checkpoint).toEqual(checkpoint);
  });
});

describe('resumeStream', () => {
  const neverEnding = async function* (...events: ReceivedEvent[]) {
    yield* events;
    await new Promise(() => {});
  };
  const connection = (
    events: AsyncIterable<ReceivedEvent>,
    probe: () => Promise<boolean> = async () => true,
    status = 200,
  ): ResumableConnection & { opened: string[] } => {
    const opened: string[] = [];
    return {
      opened,
      probe,
      open: async (cursor) => {
        opened.push(cursor);
        return { status, sessionId: 's1', events };
      },
    };
  };
  const collect = async (stream: AsyncIterable<ReceivedEvent>, count: number) => {
    const ids: (string | undefined)[] = [];
    for await (const { id } of stream) {
      ids.push(id);
      if (ids.length === count) break;
    }
    return ids;
  };

  test('asks for what follows the checkpoint and yields it', async () => {
    const server = connection(neverEnding({ id: '1042', data: 'a' }, { id: '1043', data: 'b' }));
    expect(await collect(resumeStream(checkpoint, server, expected), 2)).toEqual(['1042', '1043']);
    expect(server.opened).toEqual(['1041']);
  });

  test('drops the replay of the last event and judges the next one', async () => {
    const good = connection(neverEnding(last, { id: '1042', data: 'a' }));
    expect(await collect(resumeStream(checkpoint, good, expected), 1)).toEqual(['1042']);
    const bad = connection(neverEnding(last, { id: '1044', data: 'a' }));
    await expect(collect(resumeStream(checkpoint, bad, expected), 1)).rejects.toMatchObject({ kind: 'gap' });
  });

  test('passes events without an id and still judges the first that has one', async () => {
    const server = connection(neverEnding({ id: undefined, data: 'x' }, { id: '17', data: 'a' }));
    const seen: (string | undefined)[] = [];
    const reading = (async () => {
      for await (const { data } of resumeStream(checkpoint, server, expected)) seen.push(data);
    })();
    await expect(reading).rejects.toMatchObject({ kind: 'divergence' });
    expect(seen).toEqual(['x']);
  });

  test('trusts the stream after the first event that follows', async () => {
    const server = connection(neverEnding({ id: '1042', data: 'a' }, { id: '1050', data: 'b' }));
    expect(await collect(resumeStream(checkpoint, server, expected), 2)).toEqual(['1042', '1050']);
  });

  test('throws at once on a status, and yields nothing', async () => {
    const server = connection(neverEnding({ id: '1042', data: 'a' }), async () => true, 404);
    await expect(collect(resumeStream(checkpoint, server, expected), 1)).rejects.toMatchObject({
      kind: 'session-invalid',
    });
  });

  test('meets silence with a probe, and gives up at once where nobody answers it', async () => {
    const clock = fakeClock();
    let probes = 0;
    const server = connection(neverEnding(), async () => {
      probes += 1;
      return false;
    });
    const reading = collect(resumeStream(checkpoint, server, { ...expected, livenessMs: 1000, clock }), 1);
    const failed = expect(reading).rejects.toMatchObject({ kind: 'silence' });
    await clock.pass(499);
    expect(probes).toBe(0);
    await clock.pass(1);
    expect(probes).toBe(1);
    await failed;
  });

  test('waits the other half of the bound where the probe is answered', async () => {
    const clock = fakeClock();
    let open = true;
    const reading = collect(
      resumeStream(checkpoint, connection(neverEnding()), { ...expected, livenessMs: 1000, clock }),
      1,
    ).finally(() => {
      open = false;
    });
    const failed = expect(reading).rejects.toThrow(/no event within 1000 ms, although the session answers/);
    await clock.pass(999);
    expect(open).toBe(true);
    await clock.pass(1);
    await failed;
  });

  test('an event in the second half is as good as one in the first', async () => {
    const clock = fakeClock();
    let speak = (_: ReceivedEvent): void => {};
    const events = (async function* () {
      yield await new Promise<ReceivedEvent>((resolve) => {
        speak = resolve;
      });
    })();
    const reading = collect(
      resumeStream(checkpoint, connection(events), { ...expected, livenessMs: 1000, clock }),
      1,
    );
    await clock.pass(700);
    speak({ id: '1042', data: 'late' });
    expect(await reading).toEqual(['1042']);
    await settle();
    expect(clock.waiting).toBe(0);
  });

  test('ends where the server ends', async () => {
    const events = (async function* () {})();
    expect(await collect(resumeStream(checkpoint, connection(events), expected), 1)).toEqual([]);
  });
});
