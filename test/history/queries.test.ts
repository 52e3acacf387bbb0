import { expect, test } from 'vitest';
import type { Fact, FactBody } from '../../src/history/fact.ts';
import {
  exchangesOfStream,
  isOnSide,
  ofExchange,
  ofKind,
  responseBody,
  runStarted,
} from '../../src/history/queries.ts';
import { toWire } from '../../src/history/wire-bytes.ts';

const bytes = (exchange: number, side: 'both' | 'upstream' | 'client', text: string): FactBody => ({
  kind: 'bytes',
  exchange,
  side,
  body: { text },
});

const facts: readonly Fact[] = (
  [
    { kind: 'stream-opened', stream: 's1', exchange: 1, born: 'POST' },
    bytes(1, 'both', 'a'),
    bytes(2, 'both', 'x'),
    bytes(1, 'upstream', 'b'),
    bytes(1, 'client', 'B'),
    { kind: 'stream-opened', stream: 's2', exchange: 2, born: 'GET' },
    { kind: 'stream-resumed', stream: 's1', exchange: 5, attempt: 1, from: 'store' },
    { kind: 'stream-resumed', stream: 's1', exchange: 9, attempt: 2, from: 'store' },
    { kind: 'run-ended', reason: 'stopped' },
  ] satisfies FactBody[]
).map((fact, index) => ({ ...fact, seq: index + 1, at: index }));

test('each side sees its own body', () => {
  expect(new TextDecoder().decode(responseBody(facts, 1, 'upstream'))).toBe('ab');
  expect(new TextDecoder().decode(responseBody(facts, 1, 'client'))).toBe('aB');
  expect(responseBody(facts, 7, 'client')).toHaveLength(0);
});

test('a body that was cut inside a character is whole again', () => {
  const character = new TextEncoder().encode('漢');
  const cut = [character.slice(0, 1), character.slice(1)].map(
    (piece, index): Fact => ({
      kind: 'bytes',
      exchange: 1,
      side: 'both',
      body: toWire(piece),
      seq: index + 1,
      at: 0,
    }),
  );
  expect(responseBody(cut, 1, 'client')).toEqual(character);
});

test('facts are found by kind, by exchange and by side', () => {
  expect(ofKind(facts, 'stream-opened').map((fact) => fact.stream)).toEqual(['s1', 's2']);
  expect(ofExchange(facts, 2).map((fact) => fact.seq)).toEqual([3, 6]);
  expect(runStarted(facts)).toBeUndefined();
  expect((['both', 'client', 'upstream'] as const).map((side) => isOnSide(side, 'client'))).toEqual([
    true,
    true,
    false,
  ]);
});

test('a stream lists the exchange it was born in and its resumptions in order', () => {
  expect(exchangesOfStream(facts, 's1')).toEqual([1, 5, 9]);
  expect(exchangesOfStream(facts, 's3')).toEqual([]);
});
