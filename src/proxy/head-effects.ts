/** What `head` effects make of a response head, at its birth and on a resumption alike. */
import type { Effect } from '../faults/effect.ts';
import type { ShownHead } from './client-side.ts';
import { sessionHeader, withHeader } from './headers.ts';
import type { Lane } from './lanes.ts';
import type { RunContext } from './run-context.ts';

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
    for (const [name, value] of Object.entries(effect.headers ?? {})) {
      headers = withHeader(headers, name, value);
      if (name.toLowerCase() === sessionHeader && value !== null) run.lanes.alias(lane, value);
    }
  }
  return { ...head, status, headers };
}
