/** How a stream stands: for a list that is looked at while it goes on. */
import { requestInWords } from './exchange-steps.ts';
import type { ExchangeView, HistoryView } from './history-view.ts';

export interface StreamState {
  /** `tools/call count, id 7`, or `GET, to listen`. */
  readonly title: string;
  readonly scope: string;
  readonly session: string | undefined;
  readonly born: 'POST' | 'GET';
  /** `dropped`: the client's side went before the end, and was not resumed yet. */
  readonly now: 'open' | 'dropped' | 'ended';
  readonly resumed: number;
  /** The last id that the client was shown. */
  readonly lastId: string | undefined;
  /** What is armed in it. */
  readonly fault: string | undefined;
}

export function streamState(history: HistoryView, stream: string): StreamState {
  const exchanges = history.exchangesOf(stream).flatMap((n) => history.exchange(n) ?? []);
  const [first] = exchanges;
  const last = exchanges.at(-1);
  const decision = exchanges.flatMap(({ facts }) => facts).find((fact) => fact.kind === 'decision');
  return {
    title: first === undefined ? stream : requestInWords(first),
    scope: first?.request.scope ?? '',
    session: first?.request.session,
    born: first?.request.verb === 'GET' ? 'GET' : 'POST',
    now: last === undefined ? 'open' : stateOf(last),
    resumed: exchanges.filter(({ resumed }) => resumed !== undefined).length,
    lastId: lastIdOf(exchanges),
    fault: decision?.fault,
  };
}

function stateOf({ facts }: ExchangeView): StreamState['now'] {
  const end = facts.findLast((fact) => fact.kind === 'end' && fact.side !== 'upstream');
  if (end?.kind !== 'end') return 'open';
  const properly = end.how === 'complete' && end.decision === undefined;
  return properly || end.by === 'client' ? 'ended' : 'dropped';
}

/** From the newest piece backwards: a row of a list must not cost a whole stream. */
function lastIdOf(exchanges: readonly ExchangeView[]): string | undefined {
  for (const { facts } of exchanges.toReversed()) {
    for (let at = facts.length - 1; at >= 0; at -= 1) {
      const fact = facts[at]!;
      if (fact.kind !== 'bytes' || fact.side === 'upstream' || !('text' in fact.body)) continue;
      const id = [...fact.body.text.matchAll(/^id: ?(.+)$/gm)].at(-1)?.[1];
      if (id !== undefined) return id;
    }
  }
  return undefined;
}
