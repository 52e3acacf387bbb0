/**
 * A managed upstream's process is ended and replaced. Unlike a restarted session nothing is negotiated: what
 * the new process makes of the old sessions' ids is what their clients are shown.
 */
import type { Effect } from '../faults/effect.ts';
import type { ClientSide } from './client-side.ts';
import type { Lane } from './lanes.ts';
import type { RunContext } from './run-context.ts';
import { breakStreams } from './session-effects.ts';

/**
 * Resolves when the old process is gone. `spare` is the response whose ending the fault decides itself. All
 * other streams of that upstream, whoever's they are, are cut before the signal: a server that drains them
 * first would not end while they are open, and how far it got would be a matter of timing.
 */
export async function restartUpstream(
  run: RunContext,
  by: Lane,
  spare: ClientSide | undefined,
  { signal, downMs }: Extract<Effect, { readonly do: 'restart-upstream' }>,
  decision: string | undefined,
): Promise<void> {
  const { name, process } = by.upstream;
  // Where there is none the fault was recorded as not applicable when it was armed.
  if (process === undefined) return;
  run.record({
    kind: 'upstream-process',
    upstream: name,
    state: 'stopping',
    ...(decision === undefined ? {} : { decision }),
  });
  for (const lane of run.lanes.all()) {
    if (lane.upstream.process !== process) continue;
    if (lane !== by && (lane.inFlight > 0 || hasOpenStream(lane))) noteSharedProcess(run, lane);
    if (lane !== by) lane.endedBy = decision;
    await breakStreams(run, lane, lane === by ? spare : undefined, decision);
    forget(run, lane);
  }
  await process.restart(signal, downMs);
}

/** A client of a session that another client's fault has ended goes on: what it meets depends on when that was. */
export function noteCollateral(run: RunContext, lane: Lane): void {
  if (lane.endedBy !== undefined) noteSharedProcess(run, lane);
}

function noteSharedProcess(run: RunContext, lane: Lane): void {
  run.notDeterministic(
    lane.scope,
    "the server's process was ended by a fault of another client, which all clients of that server meet at whatever they do just then",
  );
}

function hasOpenStream(lane: Lane): boolean {
  return [...lane.streams.values()].some(({ sink }) => sink !== undefined);
}

/** From here on the lane's cursors are upstream's business, and what it sends is another incarnation's. */
function forget(run: RunContext, lane: Lane): void {
  for (const stream of lane.streams.values()) clearTimeout(stream.graceTimer);
  lane.streams.clear();
  lane.shown.clear();
  lane.standalone = undefined;
  lane.opening = undefined;
  lane.epoch += 1;
  lane.events = 0;
  run.lanes.forget(lane);
}
