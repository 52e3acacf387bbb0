/** One line that says whether two runs made the same decisions. */
import { sha256Hex } from '../mcp/digest.ts';
import type { Decision } from './decision.ts';

/** 16 hex digits over what was decided where, in any order. Outcomes are no part of it. */
export function decisionsDigest(
  decisions: Iterable<Pick<Decision, 'id' | 'fault' | 'site' | 'params'>>,
): string {
  const lines = Array.from(
    decisions,
    ({ id, fault, site, params }) => `${id} ${fault} ${site} ${inOrder(params)}`,
  );
  return sha256Hex(lines.sort().join('\n')).slice(0, 16);
}

function inOrder(params: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(params).sort();
  return JSON.stringify(names.map((name) => [name, params[name]]));
}
