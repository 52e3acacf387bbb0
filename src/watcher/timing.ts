/** Every comparison of times that a verdict may rest on, with its tolerance and the reason for it. */
import type { Case } from './case.ts';
import type { Call } from './ledger/call.ts';
import type { ShownEnd, Spot } from './ledger/exchange.ts';

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
  // The proxy sees a request after the client's clock has started, on a loaded machine up to a quarter of a
  // second later, so a timeout looks early here. Clearly before it is therefore before this.
  const due = timeoutMs - Math.max(250, timeoutMs * 0.1);
  // Timers fire late on a loaded machine. A call that is alive beyond this has a clock that progress resets.
  const overdue = timeoutMs + Math.max(1000, timeoutMs * 0.25);
  if (sinceStart >= due && sinceStart <= overdue) return 'at its timeout';
  if (sinceStart < due) return 'early';
  if (sinceProgress === undefined || sinceProgress > overdue) return 'late';
  return sinceProgress >= due ? 'at its timeout' : 'early';
}

/**
 * A record is written after the act, and a loaded machine may pause between the two. So a pause of the client
 * was as long as it looks, or longer by this, in ms; beyond a quarter of a second no pause of ours is believed.
 */
export function recordingLag(end: ShownEnd): number {
  return Math.max(0, Math.min(250, end.at - end.notBefore));
}

/** In words, for the sentence about what the client did. */
export function afterMs(from: Spot, to: Spot): string {
  return `after ${Math.max(0, Math.round(to.at - from.at))} ms`;
}
