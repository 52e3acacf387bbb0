/** Questions that readers of a history ask again and again. */
import type { Fact, FactBody, Side } from './fact.ts';

export type OfKind<K extends FactBody['kind']> = Extract<Fact, { readonly kind: K }>;

export function ofKind<K extends FactBody['kind']>(facts: readonly Fact[], kind: K): readonly OfKind<K>[] {
  return facts.filter((fact): fact is OfKind<K> => fact.kind === kind);
}

/** Whether a fact tells of what happened on this side of the proxy. */
export function isOnSide(side: Side, wanted: 'upstream' | 'client'): boolean {
  return side === 'both' || side === wanted;
}
