/**
 * What a page holds of a history that is too long for one: the facts of the exchanges that findings are about,
 * the worst findings first, and all that belongs to no exchange.
 */
import type { Fact } from '../../history/fact.ts';
import type { Finding } from '../../watcher/report.ts';
import { viewHistory } from './history-view.ts';
import { coreExchanges } from './picture.ts';

/** About 100 MB of text, which a browser still opens. */
export const mostFacts = 400_000;

/** `findings` in the order in which they are to be kept. */
export function keptFacts(
  facts: readonly Fact[],
  findings: readonly Finding[],
  most = mostFacts,
): readonly Fact[] {
  if (facts.length <= most) return facts;
  const history = viewHistory(facts);
  const beside = facts.filter((fact) => !('exchange' in fact) || fact.exchange === undefined);
  const kept = new Set<number>();
  let left = most - beside.length;
  for (const finding of findings) {
    const wanted = coreExchanges(history, finding).filter(({ n }) => !kept.has(n));
    left -= wanted.reduce((sum, exchange) => sum + exchange.facts.length, 0);
    if (left < 0) break;
    for (const { n } of wanted) kept.add(n);
  }
  return facts.filter(
    (fact) => !('exchange' in fact) || fact.exchange === undefined || kept.has(fact.exchange),
  );
}
