/**
 * Builds literal histories that read as stories: what the proxy would have written down, with a clock that
 * only moves when told to.
 */

import type { Contract } from '../../src/cursor/contract.ts';
import type {
  DecisionFact,
  Ending,
  Fact,
  FactBody,
  JudgeOptions,
  RunStarted,
  Side,
  WireBytes,
} from '../../src/history/fact.ts';
import { judge } from '../../src/watcher/judge.ts';
import type { Finding, Report } from '../../src/watcher/report.ts';

export interface StoryOptions extends Partial<JudgeOptions> {
  readonly contract?: Contract;
  readonly rules?: RunStarted['rules'];
  readonly command?: readonly string[];
  readonly header?: boolean;
}

const revision = '2025-11-25';

export class Story {
  readonly facts: Fact[] = [];
  private at = 0;
  private exchanges = 0;
  private streams = 0;
  private sessions = 0;

  constructor(options: StoryOptions = {}) {
    const {
      contract = 'monotonic:stream',
      deadlineMs = 10_000,
      clientTimeoutMs,
      command = ['npm', 'test'],
    } = options;
    if (options.header === false) return;
    this.record({
      kind: 'run-started',
      format: 1,
      version: '0.1.0',
      seed: '42',
      profile: 'desync',
      contract,
      options: { deadlineMs, ...(clientTimeoutMs === undefined ? {} : { clientTimeoutMs }) },
      command,
      rules: options.rules ?? [{ fault: 'regress-cursor', control: false }],
      upstreams: ['embedded'],
      startedAt: '2026-11-29T00:00:00Z',
    });
    this.record({ kind: 'child-started' });
  }

  record(body: FactBody): number {
    const seq = this.facts.length + 1;
    this.facts.push({ seq, at: this.at, ...body });
    return seq;
  }

  /** Milliseconds pass. */
  after(ms: number): this {
    this.at += ms;
    return this;
  }

  nextExchange(): number {
    this.exchanges += 1;
    return this.exchanges;
  }

  nextStream(): string {
    this.streams += 1;
    return `stream-${this.streams}`;
  }

  nextSession(): string {
    this.sessions += 1;
    return `session-${this.sessions}`;
  }

  client(options: ClientOptions = {}): Client {
    return new Client(this, options);
  }

  /** The draw came out: this fault is armed. */
  decide(fault: string, params: DecisionFact['params'] = {}, exchange = this.exchanges): string {
    const id = `d${this.facts.length}`;
    this.record({ kind: 'decision', id, fault, rule: 0, site: `embedded//s1/${fault}`, params, exchange });
    return id;
  }

  apply(
    decision: string,
    at: {
      exchange: number;
      stream?: string;
      seam?: 'request' | 'head' | 'frame' | 'resume' | 'end';
      prelude?: boolean;
      effects?: string;
    },
  ): number {
    const { exchange, stream, seam = 'frame', prelude = false, effects = 'as told' } = at;
    return this.record({
      kind: 'applied',
      decision,
      exchange,
      ...(stream === undefined ? {} : { stream }),
      seam,
      prelude,
      effects,
    });
  }

  /** `--deadline` has passed since this fact. */
  deadline(since: number): this {
    this.record({ kind: 'deadline-elapsed', since });
    return this;
  }

  exit(code: number | null = 0, signal: string | null = null): this {
    this.record({ kind: 'child-exited', code, signal, durationMs: Math.round(this.at) });
    this.record({ kind: 'run-ended', reason: 'child-exited' });
    return this;
  }

  judge(): Report {
    return judge(this.facts);
  }

  /** The only finding there is. */
  finding(): Finding {
    const { findings } = this.judge();
    if (findings.length !== 1) throw new Error(`one finding was expected, found ${describe(findings)}`);
    return findings[0]!;
  }

  /** The only finding under this obligation. */
  under(obligation: string): Finding {
    const { findings } = this.judge();
    const found = findings.filter((finding) => finding.obligation === obligation);
    if (found.length !== 1)
      throw new Error(`one finding under ${obligation} was expected, found ${describe(findings)}`);
    return found[0]!;
  }
}

export interface ClientOptions {
  readonly scope?: string;
  readonly revision?: string;
  /** JSON-RPC id of its first request. */
  readonly firstId?: number;
  /** Ids go on in a second session of the same client object. */
  readonly name?: string;
}

/** One client object; its session changes when it initialises again. */
export class Client {
  session: string | undefined;
  readonly story: Story;
  /** May change: a client that a hook made is used by tests. */
  scope: string;
  private nextId: number;
  private readonly firstId: number;
  private readonly options: ClientOptions;

  constructor(story: Story, options: ClientOptions) {
    this.story = story;
    this.options = options;
    this.scope = options.scope ?? '';
    this.firstId = options.firstId ?? 0;
    this.nextId = this.firstId;
  }

  /** A fresh client object numbers from the start again. */
  renumber(): this {
    this.nextId = this.firstId;
    return this;
  }

  initialize(): this {
    const { story } = this;
    this.session = undefined;
    const id = this.nextId++;
    const exchange = this.post({
      jsonrpc: '2.0',
      id,
      method: 'initialize',
      params: {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: this.options.name ?? 'test', version: '1' },
      },
    });
    const session = story.nextSession();
    this.head(exchange, 200, 'application/json', { session });
    const result = {
      protocolVersion: this.options.revision ?? revision,
      capabilities: {},
      serverInfo: { name: 'up', version: '1' },
    };
    this.bytes(exchange, 'both', JSON.stringify({ jsonrpc: '2.0', id, result }));
    this.end(exchange, 'complete', 'upstream', 'both');
    this.session = session;
    const notified = this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    this.head(notified, 202);
    this.end(notified, 'complete', 'upstream', 'both');
    return this;
  }

  /** A request by GET; `cursor` undefined = without one. */
  get(cursor?: string): number {
    return this.request('GET', cursor);
  }

  request(verb: string, cursor?: string, session = this.session): number {
    const exchange = this.story.nextExchange();
    this.story.record({
      kind: 'request',
      exchange,
      connection: 1,
      upstream: 'embedded',
      scope: this.scope,
      lane: 's1',
      verb,
      path: '/mcp',
      headers: { accept: 'text/event-stream' },
      ...(session === undefined ? {} : { session, protocolVersion: this.options.revision ?? revision }),
      ...(cursor === undefined ? {} : { cursor }),
      mcp: true,
    });
    return exchange;
  }

  post(message: unknown, session = this.session): number {
    const exchange = this.request('POST', undefined, session);
    this.story.record({ kind: 'request-body', exchange, body: { text: JSON.stringify(message) } });
    return exchange;
  }

  /** tools/call whose answer is to be a stream that the proxy owns the ids of. */
  call(
    tool = 'count',
    args: unknown = { to: 5 },
    options: { readonly id?: number; readonly respond?: boolean } = {},
  ): Call {
    const id = options.id ?? this.nextId++;
    const exchange = this.post({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: tool, arguments: args, _meta: { progressToken: id } },
    });
    const call = new Call(this, exchange, id, tool);
    if (options.respond !== false) call.open();
    return call;
  }

  /** Several requests in one POST (2025-03-26). */
  batch(tools: readonly string[]): readonly Call[] {
    const ids = tools.map(() => this.nextId++);
    const exchange = this.post(
      tools.map((name, index) => ({
        jsonrpc: '2.0',
        id: ids[index],
        method: 'tools/call',
        params: { name, arguments: {} },
      })),
    );
    const calls = tools.map((tool, index) => new Call(this, exchange, ids[index]!, tool));
    calls[0]!.open();
    for (const call of calls.slice(1)) call.share(calls[0]!);
    return calls;
  }

  /** The stand-alone stream. */
  listen(): Listening {
    const exchange = this.get();
    return new Listening(this, exchange).open();
  }

  cancel(call: Call, reason = 'no longer wanted'): this {
    const exchange = this.post({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: call.id, reason },
    });
    this.head(exchange, 202);
    this.end(exchange, 'complete', 'upstream', 'both');
    return this;
  }

  delete(): this {
    const exchange = this.request('DELETE');
    this.head(exchange, 200);
    this.end(exchange, 'complete', 'upstream', 'both');
    return this;
  }

  head(
    exchange: number,
    status: number,
    type?: string,
    more: { session?: string | null; decision?: string; side?: Side } = {},
  ): number {
    const session = more.session === null ? undefined : (more.session ?? this.session);
    return this.story.record({
      kind: 'head',
      exchange,
      side: more.side ?? (more.decision === undefined ? 'both' : 'client'),
      status,
      headers: type === undefined ? {} : { 'content-type': type },
      ...(session === undefined ? {} : { session }),
      ...(more.decision === undefined ? {} : { decision: more.decision }),
    });
  }

  bytes(exchange: number, side: Side, text: string, decision?: string): number {
    const body: WireBytes = { text };
    return this.story.record({
      kind: 'bytes',
      exchange,
      side,
      body,
      ...(decision === undefined ? {} : { decision }),
    });
  }

  end(
    exchange: number,
    how: Ending,
    by: 'upstream' | 'client' | 'proxy' = 'proxy',
    side: Side = 'client',
    decision?: string,
  ): number {
    return this.story.record({
      kind: 'end',
      exchange,
      side,
      how,
      by,
      ...(how === 'reset' ? { flushed: true } : {}),
      ...(decision === undefined ? {} : { decision }),
    });
  }

  /** 404 to a request, or another status with a JSON-RPC error that answers nobody. */
  refuse(exchange: number, status: number, decision?: string): number {
    const seq = this.head(exchange, status, 'application/json', {
      session: null,
      ...(decision === undefined ? {} : { decision }),
    });
    const side = decision === undefined ? 'both' : 'client';
    this.bytes(
      exchange,
      side,
      '{"jsonrpc":"2.0","error":{"code":-32001,"message":"refused"},"id":null}',
      decision,
    );
    this.end(exchange, 'complete', decision === undefined ? 'upstream' : 'proxy', side, decision);
    return seq;
  }
}

/** What was due on a stream when a client came back to it. */
export interface Due {
  readonly ids: readonly string[];
  readonly answers: boolean;
}

export interface ResumeOptions {
  readonly due?: Due;
  readonly from?: 'store' | 'upstream';
  readonly decision?: string;
  readonly status?: number;
}

/** An exchange whose response is a stream, or a part of one. */
class Streaming {
  readonly client: Client;
  readonly exchange: number;
  stream = '';
  attempt = 0;

  constructor(client: Client, exchange: number) {
    this.client = client;
    this.exchange = exchange;
  }

  protected begin(born: 'POST' | 'GET'): void {
    this.stream = this.client.story.nextStream();
    this.client.story.record({ kind: 'stream-opened', stream: this.stream, exchange: this.exchange, born });
    this.client.head(this.exchange, 200, 'text/event-stream');
  }

  /** Upstream's message, shown under an id of ours. */
  both(id: string | undefined, message: unknown): this {
    this.upstream(message);
    this.show(id, message);
    return this;
  }

  upstream(message: unknown): this {
    this.client.bytes(this.exchange, 'upstream', `data: ${JSON.stringify(message)}\n\n`);
    return this;
  }

  /** Shown to the client only. */
  show(id: string | undefined, message: unknown, decision?: string): number {
    const line = id === undefined ? '' : `id: ${id}\n`;
    return this.client.bytes(
      this.exchange,
      'client',
      `${line}data: ${JSON.stringify(message)}\n\n`,
      decision,
    );
  }

  raw(text: string, decision?: string): number {
    return this.client.bytes(this.exchange, 'client', text, decision);
  }

  /** The client's side ends, and not by the client. */
  drop(how: Ending = 'fin', decision?: string): number {
    return this.client.end(this.exchange, how, 'proxy', 'client', decision);
  }

  /** The client closes its side. */
  abort(): number {
    return this.client.end(this.exchange, 'fin', 'client');
  }
}

export class Call extends Streaming {
  readonly id: number;
  readonly tool: string;
  private legs = 0;
  private steps = 0;

  constructor(client: Client, exchange: number, id: number, tool: string) {
    super(client, exchange);
    this.id = id;
    this.tool = tool;
  }

  open(): this {
    this.begin('POST');
    return this;
  }

  share(other: Call): void {
    this.stream = other.stream;
  }

  progressMessage(step: number): object {
    return {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: this.id, progress: step },
    };
  }

  answerMessage(): object {
    return {
      jsonrpc: '2.0',
      id: this.id,
      result: { content: [{ type: 'text', text: `${this.tool} done` }] },
    };
  }

  /** Shows these ids; then the fault drops the stream. */
  droppedBy(fault: string, params: DecisionFact['params'], seen: readonly string[], prelude = false): string {
    const { exchange, stream } = this;
    const { story } = this.client;
    const decision = story.decide(fault, params, exchange);
    this.progress(...seen);
    story.apply(decision, { exchange, stream, prelude });
    this.drop('fin', decision);
    return decision;
  }

  /** The same, for a fault that acts on the resumption. */
  preludeTo(fault: string, params: DecisionFact['params'], seen: readonly string[]): string {
    return this.droppedBy(fault, params, seen, true);
  }

  progress(...ids: readonly string[]): this {
    for (const id of ids) this.both(id, this.progressMessage(++this.steps));
    return this;
  }

  /** Upstream's answer, shown, and the proper end. */
  answer(id?: string): this {
    this.both(id, this.answerMessage());
    this.client.end(this.exchange, 'complete', 'upstream', 'both');
    return this;
  }

  /** Upstream goes on while nobody listens. */
  missed(count: number, answered = false): this {
    for (let n = 0; n < count; n += 1) this.upstream(this.progressMessage(++this.steps));
    if (answered) this.upstream(this.answerMessage());
    return this;
  }

  /** The client comes back with this cursor, and the proxy ties it to this stream. */
  resume(cursor: string, options: ResumeOptions = {}): Leg {
    this.legs += 1;
    return resume(this.client, this.stream, this.legs, cursor, options);
  }
}

export class Listening extends Streaming {
  private legs = 0;

  open(): this {
    this.begin('GET');
    return this;
  }

  changed(id: string | undefined, n = 1): this {
    return this.both(id, {
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: `test://${n}` },
    });
  }

  resume(cursor: string, options: ResumeOptions = {}): Leg {
    this.legs += 1;
    return resume(this.client, this.stream, this.legs, cursor, options);
  }
}

export class Leg extends Streaming {
  /** The fact that tied it to its stream, and what follows from it. */
  readonly since: number;

  constructor(client: Client, exchange: number, stream: string, since: number) {
    super(client, exchange);
    this.stream = stream;
    this.since = since;
  }

  complete(): this {
    this.client.end(this.exchange, 'complete', 'upstream');
    return this;
  }
}

function resume(
  client: Client,
  stream: string,
  attempt: number,
  cursor: string,
  options: ResumeOptions,
): Leg {
  const { story } = client;
  const { due = { ids: [], answers: false }, from = 'store', decision, status = 200 } = options;
  const exchange = client.get(cursor);
  if (status !== 200) {
    const since = client.refuse(exchange, status, decision);
    return new Leg(client, exchange, stream, since);
  }
  let since = story.record({
    kind: 'stream-resumed',
    stream,
    exchange,
    attempt,
    from,
    ...(from === 'store' ? { coherent: due } : {}),
  });
  if (decision !== undefined) since = story.apply(decision, { exchange, stream, seam: 'resume' });
  client.head(exchange, 200, 'text/event-stream', decision === undefined ? { side: 'client' } : { decision });
  return new Leg(client, exchange, stream, since);
}

/** An event of another incarnation. */
export function stranger(n: number): object {
  return {
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: `event ${n} of another incarnation` },
  };
}

export function describe(findings: readonly Finding[]): string {
  return (
    findings
      .map(
        (finding) =>
          `${finding.obligation}: ${finding.outcome} ${finding.verdict} (${finding.message.shown} / ${finding.message.did})`,
      )
      .join('\n') || 'none'
  );
}
