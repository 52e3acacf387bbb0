/** Which wire family a recorded request is of; as the proxy saw it, from what the journal kept. */
import { classifyRequest, type Family } from '../mcp/family.ts';
import { compareRevisions } from '../mcp/revision.ts';
import type { RequestFact } from './fact.ts';

/** `body` undefined = not known, or none. */
export function familyOf(fact: RequestFact, body: string | undefined): Family {
  if (!fact.mcp) return 'none';
  if (fact.protocolVersion !== undefined && compareRevisions(fact.protocolVersion, '2026-07-28') >= 0) {
    return 'stateless';
  }
  const headers =
    fact.session === undefined ? fact.headers : { ...fact.headers, 'mcp-session-id': fact.session };
  const family = classifyRequest(fact.verb, headers, body);
  // The proxy, which saw every header, took it for MCP.
  return family === 'none' && body === undefined ? 'session' : family;
}
