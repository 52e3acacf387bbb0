/** What `head` effects make of a response head, at its birth and on a resumption alike. */
import type { Effect } from '../faults/effect.ts';
import { sha256Hex } from '../mcp/digest.ts';
import type { ShownHead } from './client-side.ts';
import { sessionHeader, withHeader } from './headers.ts';
import type { Lane } from './lanes.ts';
import type { RunContext } from './run-context.ts';

/** Two sessions that are shown the same strange id could not be told apart when their clients come back under it. */
function sessionIdFor(lane: Lane, given: string | null): string | null {
  const own = sha256Hex(`${lane.scope}\n${lane.name}\n${lane.clientSession ?? ''}`).slice(0, 12);
  return given?.replaceAll('*', own) ?? null;
}

/** A session id that the client is shown is one it may come back with, so the lane answers to it. */
export function changeHead(
  run: RunContext,
  lane: Lane,
  head: ShownHead,
  effects: readonly Effect[],
): ShownHead {
  let { status, headers } = head;
  for (const effect of effects) {
    if (effect.do !== 'head') continue;
    status = effect.status ?? status;
    for (const [name, given] of Object.entries(effect.headers ?? {})) {
      const isSession = name.toLowerCase() === sessionHeader;
      const value = isSession ? sessionIdFor(lane, given) : given;
      headers = withHeader(headers, name, value);
      if (isSession && value !== null) run.lanes.alias(lane, value);
    }
  }
  return { ...head, status, headers };
}
