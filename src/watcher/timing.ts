/** Every comparison of times that a verdict may rest on, with its tolerance and the reason for it. */
import type { Case } from './case.ts';
import type { Call } from './ledger/call.ts';
import type { Spot } from './ledger/exchange.ts';

/**
 * A reaction to bytes is code that runs when they are read: some milliseconds, half a second on a loaded
 * machine. A test runner that gives up does so whole seconds after the call began, by a timer that knows
 * nothing of the bytes. What comes later than this is never taken for a reaction by its time alone.
 */
const promptMs = 500;

/**
 * Of frames written right before a reset, a reader may have got none: of three that had left the process,
 * a slow reader was given two. What was written earlier than this was read.
 */
const maybeMs = 250;

/** Requests that crossed a refusal on the wire: on one machine they are apart by less than this. */
const crossedMs = 250;

/** Milliseconds from one to the other. The case remembers that it rests on the clock. */
export function elapsed(one: Case, from: Spot, to: Spot): number {
  one.timed = true;
  return to.at - from.at;
}

export function isPrompt(one: Case, act: Spot, since: Spot = one.occasion.spot): boolean {
  return elapsed(one, since, act) <= promptMs;
}

export function isMaybeUnread(frame: Spot, reset: Spot): boolean {
  return reset.at - frame.at <= maybeMs;
}

export function mayHaveCrossed(one: Case, refusal: Spot, request: Spot): boolean {
  return elapsed(one, refusal, request) <= crossedMs;
}

/**
 * When a client ended its wait, by its own timeout. Both clocks are legitimate: from the request on, or
 * from the last progress shown (the SDKs' `resetTimeoutOnProgress`).
 */
export type Lateness = 'early' | 'at its timeout' | 'late' | 'unknown';

export function lateness(one: Case, call: Call, act: Spot, timeoutMs: number | undefined): Lateness {
  if (timeoutMs === undefined) return 'unknown';
  one.timed = true;
  const sinceStart = act.at - call.at;
  const sinceProgress = call.progressAt === undefined ? undefined : act.at - call.progressAt;
  // The proxy sees a request some milliseconds after the client's clock started, so a timeout looks a
  // little early here; 5 % or 100 ms cover that and a coarse timer.
  const due = timeoutMs - Math.max(100, timeoutMs * 0.05);
  // Timers fire late on a loaded machine. A call that is alive beyond this has a clock that progress resets.
  const overdue = timeoutMs + Math.max(1000, timeoutMs * 0.25);
  if (sinceStart >= due && sinceStart <= overdue) return 'at its timeout';
  if (sinceStart < due) return 'early';
  if (sinceProgress === undefined || sinceProgress > overdue) return 'late';
  return sinceProgress >= due ? 'at its timeout' : 'early';
}

/** In words, for the sentence about what the client did. */
export function afterMs(from: Spot, to: Spot): string {
  return `after ${Math.max(0, Math.round(to.at - from.at))} ms`;
}
