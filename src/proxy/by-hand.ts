/**
 * Faults that a person arms while the run goes on: into a stream that is open, or into the next call of a
 * scope. From then on they are decisions like any other, with their site, recorded as made by hand.
 */
import type { CallView } from '../faults/fault.ts';
import { faultNamed } from '../faults/index.ts';
import { countIds } from '../faults/prelude.ts';
import { siteKey } from '../schedule/site.ts';
import { type Armed, armed, byHand } from './arming.ts';
import type { Lane } from './lanes.ts';
import type { Recorder } from './recorder.ts';
import type { LogicalStream } from './stream.ts';

export interface Injection {
  /** A stream as the journal names it, or the scope whose next call is meant. */
  readonly target: { readonly stream: string } | { readonly scope: string };
  readonly fault: string;
  /** What is left out has its default; `after` counts from now. */
  readonly params?: Readonly<Record<string, unknown>>;
}

export type Injected =
  /** `decision` is absent where the call that it waits for has yet to come. */
  { readonly ok: true; readonly decision?: string } | { readonly ok: false; readonly why: string };

/** What waits for the next call of a scope; at most one. */
export interface Waiting {
  put(scope: string, injection: Injection): void;
  /** Asked once for every call that may be armed, before the schedule is. A handshake is not what was meant. */
  take(scope: string, call: CallView): Injection | undefined;
}

export function createWaiting(): Waiting {
  const next = new Map<string, Injection>();
  return {
    put: (scope, injection) => void next.set(scope, injection),
    take(scope, { channel, method }) {
      const injection = next.get(scope);
      if (injection === undefined || method === 'initialize') return undefined;
      if (!faultNamed(injection.fault)!.channels.includes(channel)) return undefined;
      next.delete(scope);
      return injection;
    },
  };
}

/** Checks an injection and arms it, or says why it cannot be. */
export function inject(
  run: { readonly record: Recorder; readonly lanes: { all(): Iterable<Lane> }; readonly waiting: Waiting },
  injection: Injection,
): Injected {
  const { target } = injection;
  const fault = faultNamed(injection.fault);
  if (fault === undefined) return no(`there is no fault "${injection.fault}"`);
  const read = fault.params.safeParse(injection.params ?? {});
  if (!read.success) return no(`${fault.name}: ${read.error.issues[0]?.message ?? 'wrong parameters'}`);
  if ('scope' in target) {
    run.waiting.put(target.scope, injection);
    return { ok: true };
  }
  const stream = find(run.lanes, target.stream);
  if (stream === undefined) return no(`there is no stream "${target.stream}"`);
  const objection = objectionTo(stream, injection);
  if (objection !== undefined) return no(objection);
  const { lane, site } = stream;
  const bound = fault.bind(withPlace(stream, injection));
  const decision = byHand(fault.name, bound.params, siteKey(site));
  if (fault.reach === 'session') lane.sessionFaults.add(site.scope);
  const exchange = stream.sink?.exchange ?? stream.source?.exchange ?? 0;
  run.record({ kind: 'decision', ...decision, seam: bound.seam, exchange, by: 'hand' });
  stream.armed = armedNow(stream, armed(decision, bound));
  return { ok: true, decision: decision.id };
}

function no(why: string): Injected {
  return { ok: false, why };
}

function find(lanes: { all(): Iterable<Lane> }, id: string): LogicalStream | undefined {
  for (const lane of lanes.all()) {
    const stream = lane.streams.get(id);
    if (stream !== undefined) return stream;
  }
  return undefined;
}

function objectionTo(stream: LogicalStream, injection: Injection): string | undefined {
  const fault = faultNamed(injection.fault)!;
  const { seam } = fault.bind(withPlace(stream, injection));
  if (stream.armed !== undefined) return `the stream has ${stream.armed.decision.fault} already`;
  if (!fault.channels.includes(stream.born)) return `${fault.name} is not for ${stream.born} streams`;
  if (seam === 'request' || seam === 'head')
    return `${fault.name} acts before a stream begins: inject it into the next call`;
  if (fault.reach === 'session' && stream.lane.sessionFaults.has(stream.site.scope))
    return 'the session has a fault of its own already';
  if (stream.source === undefined && stream.sink === undefined && !stream.droppedByUs)
    return 'the stream is over';
  return undefined;
}

/** `after` counts from a stream's beginning; a person means the next event from now. */
function withPlace(
  stream: LogicalStream,
  { fault, params = {} }: Injection,
): Readonly<Record<string, unknown>> {
  const shown = countIds(stream.lane.store.frames(stream.id));
  const after = shown + (typeof params.after === 'number' ? params.after : 1);
  const placed = { ...params, after };
  return faultNamed(fault)!.params.safeParse(placed).success ? placed : params;
}

/** For the fault the attempt under way is the first: it was armed in it. */
function armedNow(stream: LogicalStream, whole: Armed): Armed {
  const before = stream.attempt;
  if (before === 0) return whole;
  return {
    ...whole,
    // A getter of the subject stays one: what it gives is asked for where it is needed.
    plan: (subject) =>
      whole.plan(
        Object.defineProperty(Object.create(subject) as typeof subject, 'attempt', {
          value: subject.attempt - before,
        }),
      ),
  };
}
