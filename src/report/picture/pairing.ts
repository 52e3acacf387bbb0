/**
 * Which frame of the server's became which of the client's. The journal has both sides as they were; a frame
 * is recognised by what it says, because its id may be ours.
 */
import type { Frame } from './frames.ts';

export interface Pair {
  /** Absent where mcp-chaos made it up. */
  readonly server?: Frame;
  /** Absent where the client was not shown it, here or later. */
  readonly client?: Frame;
  /** Shown before already. */
  readonly again?: true;
  /** The server's frame was kept and shown in a later exchange, as another pair. */
  readonly kept?: true;
  /** Kept from before, and shown now. */
  readonly late?: true;
  /** The client's says something else than the server's. */
  readonly altered?: true;
}

/** Both lists in the order of time; the pairs in none. Frames that were one on both sides are pairs of themselves. */
export function pairFrames(server: readonly Frame[], client: readonly Frame[]): readonly Pair[] {
  const paired = new Map<Frame, Frame>();
  const taken = new Set<Frame>();
  const again = new Set<Frame>();
  const waiting = new Map<string, Frame[]>();
  for (const frame of server) waiting.set(saying(frame), [...(waiting.get(saying(frame)) ?? []), frame]);

  for (const frame of client) {
    const alike = waiting.get(saying(frame)) ?? [];
    const match = alike.find((other) => !taken.has(other) && other.seq <= frame.seq);
    if (match !== undefined) {
      taken.add(match);
      paired.set(frame, match);
    } else if (alike.length > 0 && !frame.both) again.add(frame);
  }
  // What is left of one exchange on either side, with a decision on the client's, was altered on its way.
  const altered = new Set<Frame>();
  for (const frame of client) {
    if (paired.has(frame) || again.has(frame) || frame.decision === undefined) continue;
    const match = server.find(
      (other) => !taken.has(other) && other.exchange === frame.exchange && isJustBefore(other, frame),
    );
    if (match === undefined) continue;
    taken.add(match);
    paired.set(frame, match);
    altered.add(frame);
  }

  const shown = new Map([...paired].map(([to, from]) => [from, to]));
  const pairs: Pair[] = [];
  for (const frame of server) {
    const to = shown.get(frame);
    if (to === undefined) pairs.push({ server: frame });
    else if (isAtOnce(frame, to)) continue;
    else pairs.push({ server: frame, kept: true });
  }
  for (const frame of client) {
    const from = paired.get(frame);
    pairs.push({
      client: frame,
      ...(from === undefined ? {} : isAtOnce(from, frame) ? { server: from } : { late: true as const }),
      ...(again.has(frame) ? { again: true as const } : {}),
      ...(altered.has(frame) ? { altered: true as const } : {}),
    });
  }
  return pairs;
}

function saying(frame: Frame): string {
  return frame.data ?? `\u0000${frame.words}`;
}

/** Milliseconds within which a frame counts as passed on and not as kept. */
const atOnceMs = 40;

function isAtOnce(server: Frame, client: Frame): boolean {
  return server === client || server.both || client.at - server.at <= atOnceMs;
}

function isJustBefore(server: Frame, client: Frame): boolean {
  return server.seq < client.seq && client.at - server.at <= atOnceMs;
}
