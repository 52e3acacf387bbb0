/**
 * The first stage of the watcher: facts become requests, streams and answers, and each fact is told on as
 * what it means for them. Nothing is judged here.
 */
import type { Fact, RequestFact } from '../../history/fact.ts';
import { isOnSide } from '../../history/queries.ts';
import { familyOf } from '../../history/request-family.ts';
import { fromWire } from '../../history/wire-bytes.ts';
import { type Message, readMessages } from '../../mcp/message.ts';
import { createBodyReader } from './body-reader.ts';
import { createCall } from './call.ts';
import { createExchange, type Exchange, type ShownEnd, type Spot } from './exchange.ts';
import type { Happening } from './happening.ts';
import { createRun, noteRunFact, type Run } from './run.ts';
import type { Session } from './session.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createStreams, type Streams } from './streams.ts';
import { takeClientMessages, takeUpstreamMessages } from './take-messages.ts';

export interface Ledger {
  readonly run: Run;
  readonly sessions: Sessions;
  readonly streams: Streams;
  exchange(n: number): Exchange | undefined;
  /** Requests that are not judged, by what they are. */
  readonly outside: ReadonlyMap<string, number>;
  readonly requests: number;
  observe(fact: Fact): readonly Happening[];
}

export function createLedger(): Ledger {
  const run = createRun();
  const sessions = createSessions();
  const streams = createStreams();
  const exchanges = new Map<number, Exchange>();
  const outside = new Map<string, number>();
  let requests = 0;

  function observe(fact: Fact): readonly Happening[] {
    noteRunFact(run, fact);
    const spot: Spot = { seq: fact.seq, at: fact.at };
    switch (fact.kind) {
      case 'request':
        requests += 1;
        return request(fact);
      case 'request-body':
        return body(fact, spot);
      case 'head':
        return head(fact, spot);
      case 'bytes':
        return bytes(fact, spot);
      case 'end':
        return end(fact, spot);
      case 'stream-opened': {
        const exchange = exchanges.get(fact.exchange);
        return exchange === undefined ? [] : streams.open(exchange, spot, fact.stream);
      }
      case 'stream-resumed': {
        const exchange = exchanges.get(fact.exchange);
        return exchange === undefined ? [] : streams.resume(exchange, spot, fact);
      }
      case 'session-restarted': {
        const session = sessions.byPseudonym(fact.session);
        if (session === undefined) return [];
        session.epoch = fact.epoch;
        return [{ ...spot, type: 'restarted', session }];
      }
      case 'upstream-process':
        if (fact.state === 'stopping') {
          for (const session of sessions.all()) {
            if (session.upstream === fact.upstream) session.epoch += 1;
          }
        }
        return [];
      case 'applied':
        touch(fact.exchange, fact.at);
        return [{ ...spot, type: 'applied', applied: fact }];
      case 'deadline-elapsed':
        return [{ ...spot, type: 'deadline', since: fact.since }];
      case 'mark':
        return [{ ...spot, type: 'mark', mark: fact }];
      case 'child-exited':
        return [{ ...spot, type: 'child-exited', code: fact.code, signal: fact.signal }];
      case 'run-ended':
        return [{ ...spot, type: 'run-ended', reason: fact.reason }];
      default:
        return [];
    }
  }

  function request(fact: RequestFact & Spot): readonly Happening[] {
    const { verb } = fact;
    const family = familyOf(fact, undefined);
    // What a POST is shows only in its body, which follows.
    if (verb !== 'POST' && family !== 'session') {
      count(family === 'none' ? 'not MCP' : statelessName);
      return [];
    }
    if (verb === 'POST' && !fact.mcp) {
      count('not MCP');
      return [];
    }
    const exchange = createExchange(fact, sessions.of(fact));
    exchanges.set(fact.exchange, exchange);
    if (verb === 'POST') return [];
    exchange.session.scopes.add(fact.scope);
    exchange.session.open.add(exchange);
    if (verb === 'DELETE') {
      exchange.session.deleted ??= exchange.start;
      return [{ ...exchange.start, type: 'delete', exchange }];
    }
    if (verb !== 'GET') return [];
    learnRevision(exchange);
    return [{ ...exchange.start, type: 'get', exchange }];
  }

  function body(fact: Extract<Fact, { kind: 'request-body' }>, spot: Spot): readonly Happening[] {
    const exchange = exchanges.get(fact.exchange);
    if (exchange === undefined) return [];
    const text = new TextDecoder().decode(fromWire(fact.body));
    const family = familyOf(exchange.fact, text);
    if (family !== 'session') {
      exchanges.delete(exchange.n);
      count(family === 'none' ? 'not MCP' : statelessName);
      return [];
    }
    exchange.messages = readMessages(text)?.messages ?? [];
    const initialize = exchange.messages.some((message) => isInitialize(message));
    if (initialize && exchange.fact.session === undefined) {
      exchange.session = sessions.begin({ ...exchange.fact, ...exchange.start });
    }
    learnRevision(exchange);
    return sent(exchange, spot);
  }

  function sent(exchange: Exchange, spot: Spot): readonly Happening[] {
    const { session } = exchange;
    session.open.add(exchange);
    session.scopes.add(exchange.fact.scope);
    for (const [index, message] of exchange.messages.entries()) {
      if (message.type !== 'request') continue;
      const call = createCall(message, exchange, spot, index);
      if (othersWait(session, exchange)) session.concurrent = true;
      session.addCall(call);
      exchange.calls.push(call);
      if (message.method === 'initialize' && exchange.fact.session === undefined) {
        session.initialize = call;
      }
      if (message.method === 'resources/subscribe' || message.method === 'logging/setLevel') {
        session.keepsState = true;
      }
    }
    const { calls } = exchange;
    if (calls.length > 0) return [{ ...spot, type: 'calls', exchange, calls }];
    const found: Happening[] = [];
    for (const message of exchange.messages) {
      const cancelled = streams.cancel(session, message, spot);
      if (cancelled !== undefined) found.push({ ...spot, type: 'cancelled', exchange, call: cancelled });
    }
    return found.length > 0 ? found : [{ ...spot, type: 'notified', exchange }];
  }

  function head(fact: Extract<Fact, { kind: 'head' }>, spot: Spot): readonly Happening[] {
    const exchange = exchanges.get(fact.exchange);
    if (exchange === undefined) return [];
    const type = mediaType(fact.headers['content-type']);
    const sse = type === 'text/event-stream';
    const json = type === 'application/json';
    if (isOnSide(fact.side, 'upstream')) {
      exchange.upstreamHead = { status: fact.status, session: fact.session };
      exchange.upstreamBody ??= createBodyReader(sse);
    }
    if (!isOnSide(fact.side, 'client')) return [];
    exchange.head = {
      ...spot,
      status: fact.status,
      sse,
      json,
      session: fact.session,
      decision: fact.decision,
    };
    exchange.clientBody ??= createBodyReader(sse);
    const ok = fact.status >= 200 && fact.status < 300;
    const { session } = exchange;
    if (ok && exchange.calls.some((call) => call === session.initialize))
      sessions.name(session, fact.session);
    else if (fact.session !== undefined && fact.session !== session.pseudonym) {
      sessions.alias(session, fact.session);
    }
    if (exchange.fact.verb === 'GET' && exchange.fact.cursor === undefined) {
      if (ok && sse) session.standalone = 'offered';
      else if (session.standalone === 'unknown') session.standalone = 'refused';
    }
    const told: Happening = { ...spot, type: 'head', exchange, head: exchange.head };
    return ok && sse ? [told, ...streams.open(exchange, spot, undefined)] : [told];
  }

  function bytes(fact: Extract<Fact, { kind: 'bytes' }>, spot: Spot): readonly Happening[] {
    const exchange = exchanges.get(fact.exchange);
    if (exchange === undefined) return [];
    const piece = fromWire(fact.body);
    if (isOnSide(fact.side, 'client')) exchange.lastAt = fact.at;
    const found: Happening[] = [];
    if (isOnSide(fact.side, 'upstream')) {
      // A stream that upstream resumed is fed under the exchange that asked for it, whose head is ours.
      exchange.upstreamBody ??= createBodyReader(exchange.head?.sse ?? true);
      for (const frame of exchange.upstreamBody.push(piece)) {
        found.push(...takeUpstreamMessages(exchange, frame, spot));
      }
    }
    if (isOnSide(fact.side, 'client')) {
      exchange.clientBody ??= createBodyReader(false);
      for (const frame of exchange.clientBody.push(piece)) {
        const shown = { ...frame, ...spot, decision: fact.decision };
        if (exchange.leg !== undefined) found.push(...streams.show(exchange.leg, shown));
        found.push(...takeClientMessages(exchange, shown.messages, spot, frame.id));
      }
    }
    return found;
  }

  function end(fact: Extract<Fact, { kind: 'end' }>, spot: Spot): readonly Happening[] {
    const exchange = exchanges.get(fact.exchange);
    if (exchange === undefined) return [];
    const found: Happening[] = [];
    if (isOnSide(fact.side, 'upstream') && exchange.upstreamBody !== undefined && fact.how === 'complete') {
      const { messages } = exchange.upstreamBody.end();
      found.push(
        ...takeUpstreamMessages(
          exchange,
          { id: undefined, retryMs: undefined, content: undefined, messages },
          spot,
        ),
      );
    }
    if (!isOnSide(fact.side, 'client')) return found;
    const { how, by, flushed, decision } = fact;
    const shown: ShownEnd = { ...spot, how, by, flushed, decision, notBefore: exchange.lastAt };
    if (how === 'stall') {
      exchange.stalled = shown;
      return [...found, { ...spot, type: 'stalled', exchange, end: shown }];
    }
    if (exchange.end !== undefined) return found;
    const rest = exchange.clientBody?.end();
    exchange.end = shown;
    exchange.session.open.delete(exchange);
    if (exchange.leg !== undefined) exchange.leg.unfinishedId = rest?.unfinishedId;
    if (how === 'complete' && rest !== undefined) {
      found.push(...takeClientMessages(exchange, rest.messages, spot, undefined));
    }
    return [...found, { ...spot, type: 'ended', exchange, end: shown }];
  }

  function touch(n: number, at: number): void {
    const exchange = exchanges.get(n);
    if (exchange !== undefined) exchange.lastAt = at;
  }

  function count(what: string): void {
    outside.set(what, (outside.get(what) ?? 0) + 1);
  }

  return {
    run,
    sessions,
    streams,
    exchange: (n) => exchanges.get(n),
    outside,
    get requests() {
      return requests;
    },
    observe,
  };
}

const statelessName = 'stateless family (2026-07-28 and later): no session, no resumption';

function learnRevision(exchange: Exchange): void {
  if (exchange.fact.protocolVersion !== undefined)
    exchange.session.revision ??= exchange.fact.protocolVersion;
}

function othersWait(session: Session, exchange: Exchange): boolean {
  for (const other of session.open) {
    if (
      other !== exchange &&
      other.calls.some((call) => call.answer === undefined && call.cancelled === undefined)
    ) {
      return true;
    }
  }
  return false;
}

function isInitialize(message: Message): boolean {
  return message.type === 'request' && message.method === 'initialize';
}

function mediaType(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}
