import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeJournal, decodeLine, encodeFact } from '../../src/history/codec.ts';
import type { Fact } from '../../src/history/fact.ts';

const elapsed = (seq: number): Fact => ({ kind: 'deadline-elapsed', since: 1, seq, at: seq * 10 });
const journalOf = (...facts: readonly object[]) => facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');

const bytes: Fact = {
  kind: 'bytes',
  exchange: 3,
  side: 'both',
  body: { text: 'data: "a"\n\u2028\n' },
  seq: 1,
  at: 0.25,
};

describe('encoding', () => {
  test('a fact is one line, whatever is in it', () => {
    expect(encodeFact(bytes).indexOf('\n')).toBe(encodeFact(bytes).length - 1);
  });

  test('what was encoded reads back, alone and in a journal', () => {
    const facts: Fact[] = [
      {
        kind: 'run-started',
        format: 1,
        version: '0.1.0',
        seed: '42',
        profile: 'calm',
        contract: 'opaque',
        options: { deadlineMs: 10_000 },
        command: ['npm', 'test'],
        rules: [{ fault: 'drop-stream', control: true }],
        upstreams: ['default'],
        startedAt: '2026-11-29T00:00:00.000Z',
        seq: 1,
        at: 0,
      },
      { ...bytes, seq: 2 },
      { kind: 'child-exited', code: null, signal: 'SIGKILL', durationMs: 12, seq: 3, at: 5 },
      { kind: 'child-started', seq: 4, at: 6 },
    ];
    expect(decodeJournal(facts.map(encodeFact).join(''))).toEqual({ facts, problems: [] });
    for (const fact of facts) expect(decodeLine(encodeFact(fact))).toEqual({ fact });
  });
});

describe('a journal that is not whole', () => {
  test.each([
    ['empty', '', [], []],
    ['blank lines and CRLF mean nothing', `\n${journalOf(elapsed(1)).replace('\n', '\r\n')}\n`, [1], []],
    ['a whole last line without its end is read', journalOf(elapsed(1), elapsed(2)).trimEnd(), [1, 2], []],
    [
      'a cut last line',
      `${journalOf(elapsed(1))}{"kind":"by`,
      [1],
      ['line 2: the last line was cut: expected a JSON object, found "{\\"kind\\":\\"by"'],
    ],
    [
      'a broken line in the middle',
      `${journalOf(elapsed(1))}oops\n${journalOf(elapsed(2))}`,
      [1, 2],
      ['line 2: expected a JSON object, found "oops"'],
    ],
    [
      'a duplicate seq keeps the first',
      journalOf(elapsed(1), { ...elapsed(1), since: 9 }, elapsed(2)),
      [1, 2],
      ['line 2: duplicate seq 1; the first fact with it is kept'],
    ],
    ['one missing seq', journalOf(elapsed(1), elapsed(3)), [1, 3], ['line 2: seq 2 is missing before 3']],
    ['a missing head', journalOf(elapsed(4)), [4], ['line 1: seq 1 to 3 are missing before 4']],
    [
      'facts out of order are put back',
      journalOf(elapsed(1), elapsed(3), elapsed(2)),
      [1, 2, 3],
      ['line 2: seq 2 is missing before 3', 'line 3: seq 2 after 3; put back in order'],
    ],
    [
      'an unknown kind is left out, noted once, and takes its seq',
      journalOf(elapsed(1), { kind: 'later', seq: 2, at: 1 }, { kind: 'later', seq: 3, at: 1 }, elapsed(4)),
      [1, 4],
      ['line 2: unknown fact kind "later", left out here and from now on; written by a later version?'],
    ],
    [
      'names that every object has are no kinds',
      journalOf({ kind: 'toString', seq: 1, at: 0 }, { kind: '__proto__', seq: 2, at: 0 }),
      [],
      [
        'line 1: unknown fact kind "toString", left out here and from now on; written by a later version?',
        'line 2: unknown fact kind "__proto__", left out here and from now on; written by a later version?',
      ],
    ],
    ['an array', '[]\n', [], ['line 1: expected a JSON object, found "[]"']],
    [
      'no kind',
      journalOf({ seq: 1, at: 0 }),
      [],
      ['line 1: expected a fact with a "kind", found "{\\"seq\\":1,\\"at\\":0}"'],
    ],
    [
      'no seq',
      journalOf({ ...elapsed(1), seq: '1' }),
      [],
      ['line 1: "seq" of a "deadline-elapsed" fact: expected a whole number from 1, found "1"'],
    ],
    [
      'no time',
      journalOf({ ...elapsed(1), at: null }),
      [],
      ['line 1: "at" of a "deadline-elapsed" fact: expected milliseconds, found null'],
    ],
    [
      'a field that a reader would trip over',
      journalOf({ kind: 'head', exchange: 1, side: 'both', status: '200', headers: {}, seq: 1, at: 0 }),
      [],
      ['line 1: "status" of a "head" fact: expected number, found string'],
    ],
    [
      'a body that is neither text nor base64',
      journalOf({ ...bytes, body: { base64: '!' } }),
      [],
      ['line 1: "body" of a "bytes" fact: expected text or base64, found neither'],
    ],
    [
      'a nullable field that is not there',
      journalOf({ kind: 'child-exited', code: 0, durationMs: 1, seq: 1, at: 0 }),
      [],
      ['line 1: "signal" of a "child-exited" fact: expected a value, found undefined'],
    ],
  ])('%s', (_, text, seqs, problems) => {
    const read = decodeJournal(text);
    expect(read.facts.map((fact) => fact.seq)).toEqual(seqs);
    expect(read.problems).toEqual(problems);
  });

  test('every prefix of a journal reads as the facts whose lines are whole', () => {
    const text = [elapsed(1), bytes, elapsed(3)]
      .map((fact, index) => encodeFact({ ...fact, seq: index + 1 }))
      .join('');
    for (let length = 0; length <= text.length; length += 1) {
      const prefix = text.slice(0, length);
      const { facts, problems } = decodeJournal(prefix);
      // A line is whole with its last brace; the line end adds nothing.
      const whole = prefix
        .split('\n')
        .filter((line) => line.endsWith('}') && text.split('\n').includes(line));
      expect(facts).toHaveLength(whole.length);
      expect(problems).toHaveLength(prefix.split('\n').filter((line) => line !== '').length - whole.length);
    }
  });

  test('no text throws', () => {
    const line = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom(...[elapsed(1), bytes].map((fact) => JSON.stringify(fact))),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const { facts } = decodeJournal(lines.join('\n'));
        expect(facts.map((fact) => fact.seq)).toEqual(
          [...new Set(facts.map((fact) => fact.seq))].sort((a, b) => a - b),
        );
      }),
      { seed: 42, numRuns: 500 },
    );
  });
});
