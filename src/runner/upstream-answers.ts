/**
 * Did the upstream behind MCP_CHAOS_URL ever answer as an MCP server does? Read off the traffic, because asking
 * would begin a session. What other servers say, to which the command went by itself, is their own affair.
 */
import type { Fact, HeadFact } from '../history/fact.ts';

export interface UpstreamAnswers {
  observe(fact: Fact): void;
  /**
   * What upstream said instead, in words, where every answer to a JSON-RPC POST was something that no
   * MCP server gives; undefined where one looked right, might be MCP behind a login, or nothing was asked.
   */
  somethingElse(): string | undefined;
}

export function watchUpstreamAnswers(upstream: string): UpstreamAnswers {
  const posts = new Set<number>();
  let decided = false;
  let said: string | undefined;
  return {
    observe(fact) {
      if (decided) return;
      if (fact.kind === 'request' && fact.mcp && fact.verb === 'POST' && fact.upstream === upstream)
        posts.add(fact.exchange);
      if (fact.kind !== 'head' || fact.side === 'client' || !posts.delete(fact.exchange)) return;
      if (mayBeMcp(fact)) decided = true;
      else said ??= `${fact.status} ${fact.headers['content-type'] ?? 'without a content type'}`;
    },
    somethingElse: () => (decided ? undefined : said),
  };
}

function mayBeMcp({ status, headers }: HeadFact): boolean {
  if (/json|event-stream/i.test(headers['content-type'] ?? '')) return true;
  // Accepted notifications; logins; overload and outages, which say nothing about what is behind them.
  return (
    status === 202 || status === 204 || status === 401 || status === 403 || status === 429 || status >= 500
  );
}
