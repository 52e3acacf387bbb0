/** Questions that readers of a history ask again and again. All are linear in the number of facts. */
import type { Fact, FactBody, Side } from './fact.ts';
import { fromWire } from './wire-bytes.ts';

type OfKind<K extends FactBody['kind']> = Extract<Fact, { readonly kind: K }>;

export function ofKind<K extends FactBody['kind']>(facts: readonly Fact[], kind: K): readonly OfKind<K>[] {
  return facts.filter((fact): fact is OfKind<K> => fact.kind === kind);
}

/** The journal's header; `undefined` where the journal lost its first line. */
export function runStarted(facts: readonly Fact[]): OfKind<'run-started'> | undefined {
  return facts.find((fact) => fact.kind === 'run-started');
}

export function ofExchange(facts: readonly Fact[], exchange: number): readonly Fact[] {
  return facts.filter((fact) => 'exchange' in fact && fact.exchange === exchange);
}

/** Whether a fact tells of what happened on this side of the proxy. */
export function isOnSide(side: Side, wanted: 'upstream' | 'client'): boolean {
  return side === 'both' || side === wanted;
}

/** The response body of an exchange as one side saw it, put together. */
export function responseBody(
  facts: readonly Fact[],
  exchange: number,
  side: 'upstream' | 'client',
): Uint8Array {
  const pieces = ofKind(facts, 'bytes')
    .filter((fact) => fact.exchange === exchange && isOnSide(fact.side, side))
    .map((fact) => fromWire(fact.body));
  const whole = new Uint8Array(pieces.reduce((total, piece) => total + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** The exchanges that carried a stream: the one it was born in, then its resumptions in order. */
export function exchangesOfStream(facts: readonly Fact[], stream: string): readonly number[] {
  const exchanges: number[] = [];
  for (const fact of facts) {
    if ((fact.kind === 'stream-opened' || fact.kind === 'stream-resumed') && fact.stream === stream) {
      exchanges.push(fact.exchange);
    }
  }
  return exchanges;
}
