/**
 * `--measure-timeout`: how long the client waits for a call by itself. Without that figure a call that
 * failed because time ran out cannot be told from one that was rejected because the client noticed.
 *
 * The command runs once beforehand with its first tool call stalled before the first event, and is ended
 * as soon as the client gives that call up. A test runner whose own limit is shorter looks the same.
 */
import { dirname, join } from 'node:path';
import type { Fact } from '../history/fact.ts';
import { fromWire } from '../history/wire-bytes.ts';
import { readMessages } from '../mcp/message.ts';
import type { Profile } from '../profiles/schema.ts';
import { type RunOptions, type RunResult, run } from './run.ts';

/** A client without any limit would wait for ever. */
const patienceMs = 5 * 60_000;

const stalled: Profile = {
  name: 'measure-timeout',
  description: 'The first tool call of a session is stalled before its first event.',
  contract: 'opaque',
  ids: {},
  sessionFaults: 0,
  rules: [
    {
      fault: 'stall-stream',
      params: { after: { draw: 'value', value: 0 } },
      when: { channel: 'POST', method: ['tools/call'] },
      nth: 1,
    },
  ],
};

export interface Measured {
  /** Absent where no call was given up: none was stalled, or the client has no limit. */
  readonly timeoutMs?: number;
  /** Of the run that measured; its exit code is 130 where that was interrupted. */
  readonly result: RunResult;
}

export async function measureClientTimeout(options: RunOptions): Promise<Measured> {
  const found = new AbortController();
  const givingUp = watchGivingUp(() => found.abort());
  const { only: _, decisions: __, clientTimeoutMs: ___, ...rest } = options;
  const result = await run({
    ...rest,
    profile: stalled,
    profileName: stalled.name,
    journalPath: join(dirname(options.journalPath), 'measure-timeout.ndjson'),
    timeoutMs: Math.min(options.timeoutMs ?? patienceMs, patienceMs),
    stop: found.signal,
    onFact: givingUp.observe,
  });
  const timeoutMs = givingUp.afterMs();
  return { result, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

interface GivingUp {
  observe(fact: Fact): void;
  /** From the request to the moment it was given up. */
  afterMs(): number | undefined;
}

/** Watches the first stalled call: cancelled by its id, or its connection closed by the client. */
export function watchGivingUp(onFound: () => void = () => {}): GivingUp {
  const requests = new Map<number, { readonly at: number; ids: readonly (string | number)[] }>();
  let stalledCall:
    | { readonly exchange: number; readonly at: number; readonly ids: readonly (string | number)[] }
    | undefined;
  let waited: number | undefined;
  const gaveUp = (at: number): void => {
    if (waited !== undefined || stalledCall === undefined) return;
    waited = Math.round(at - stalledCall.at);
    onFound();
  };
  const read = (fact: Extract<Fact, { kind: 'request-body' }>): void => {
    const messages = readMessages(new TextDecoder().decode(fromWire(fact.body)))?.messages ?? [];
    const request = requests.get(fact.exchange);
    if (request !== undefined)
      request.ids = messages.flatMap((one) => (one.type === 'request' ? [one.id] : []));
    for (const one of messages) {
      if (one.type !== 'notification' || one.method !== 'notifications/cancelled') continue;
      const { requestId } = (one.params ?? {}) as { readonly requestId?: string | number };
      if (requestId !== undefined && stalledCall?.ids.includes(requestId)) gaveUp(fact.at);
    }
  };
  return {
    observe(fact) {
      if (waited !== undefined) return;
      if (fact.kind === 'request') requests.set(fact.exchange, { at: fact.at, ids: [] });
      else if (fact.kind === 'request-body') read(fact);
      else if (fact.kind === 'applied' && !fact.prelude && stalledCall === undefined) {
        const request = requests.get(fact.exchange);
        if (request !== undefined) stalledCall = { exchange: fact.exchange, ...request };
      } else if (fact.kind === 'end' && fact.by === 'client' && fact.exchange === stalledCall?.exchange)
        gaveUp(fact.at);
    },
    afterMs: () => waited,
  };
}
