/**
 * The core that the clients of the ward share: Streamable HTTP of 2025-11-25 on fetch, without dependencies.
 *
 * By itself it is deaf, as the official clients are: it resumes a broken stream with its cursor, trusts
 * whatever the resume brings, and notices nothing until its own timeout. Each client of the ward extends
 * it and overrides the one thing that it is known for.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { settings } from './settings.mjs';
import { events } from './sse.mjs';

/** Pause before a reconnect where the server named none, and how often a refused resume is tried. */
const defaultRetryMs = 200;
const resumeTries = 2;

export class HttpError extends Error {
  name = 'HttpError';
  constructor(status, what) {
    super(`${what} was answered with ${status}`);
    this.status = status;
  }
}

export const never = () => new Promise(() => {});

/** Reads a body to its end, so that the connection can be used again. */
export async function discard(response) {
  await response.arrayBuffer().catch(() => {});
}

export class Client {
  opensGet = true;
  /** A call's own timeout, in ms; undefined = none. */
  timeoutMs = settings.timeoutMs;
  /** Silence on a call's stream after which `onSilence` is called, in ms; undefined = never. */
  idleMs = undefined;
  session = undefined;
  /** Streams of calls that are under way. */
  pending = new Set();
  lastId = 0;
  tool = 'count';
  /** Ends whatever is open when the client is no more. */
  gone = new AbortController();
  // For what is said at the end.
  calls = [];
  sessions = 0;
  resumes = 0;
  noticed = [];

  // — session —

  async connect() {
    this.session = undefined;
    const stream = this.newStream();
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: this.constructor.name, version: '1' },
    };
    const response = await this.post({ id: stream.id, method: 'initialize', params }, stream);
    if (!response.ok) throw new HttpError(response.status, 'initialize');
    this.session = response.headers.get('mcp-session-id') ?? undefined;
    await this.followed(response, stream);
    this.sessions += 1;
    await discard(await this.post({ method: 'notifications/initialized' }));
    if (!this.opensGet) return;
    const standing = { ...this.newStream(), id: undefined };
    this.standing = standing;
    const opened = this.get(standing).catch(() => undefined);
    opened
      .then((first) => this.keepListening(standing, first))
      .catch((error) => this.standingFailed(error, standing));
    // The first call should find the stream open, but must not wait for it for ever.
    await Promise.race([opened, sleep(500)]);
  }

  /** Leaves as the specification asks: no stream left open, and DELETE. */
  async disconnect() {
    this.dropStanding();
    for (const stream of this.pending) this.endStream(stream);
    const { session } = this;
    if (session !== undefined) await this.request('DELETE').then(discard, () => {});
    this.session = undefined;
  }

  dropStanding() {
    if (this.standing) this.endStream(this.standing);
    this.standing = undefined;
  }

  async keepListening(stream, first) {
    let response = first;
    for (let failures = 0; !stream.over; ) {
      if (response?.ok) {
        failures = 0;
        await this.readLeg(response, stream);
        if (!stream.over) await this.standingBroke(stream);
      } else {
        if (response) await this.standingRefused(response, stream);
        failures += 1;
        // 405 says that there is no such stream here; the rest is worth a second try.
        if (response?.status === 405 || failures === resumeTries) return;
      }
      await this.pause(stream);
      response = await this.get(stream, this.cursorFor(stream)).catch(() => undefined);
    }
  }

  /** The stand-alone stream broke and is about to be reopened. */
  async standingBroke() {}

  async standingRefused(response) {
    await discard(response);
  }

  /** `readLeg` or one of the two above threw. */
  standingFailed() {}

  // — calls —

  /** Calls a tool, and again as often as `recover` says so. */
  async call(tool, args) {
    for (let attempt = 1; ; attempt += 1) {
      const stream = Object.assign(this.newStream(), { tool, watched: true, session: this.session });
      this.pending.add(stream);
      await this.mark('started', { tool, requestId: stream.id });
      try {
        const result = await this.issue(stream, tool, args);
        await this.mark('resolved', { tool, requestId: stream.id });
        return { parts: stream.parts, blocks: result.content?.length };
      } catch (error) {
        this.endStream(stream);
        if (await this.recover(error, attempt, stream)) continue;
        await this.mark('rejected', { tool, requestId: stream.id, error: `${error.name}: ${error.message}` });
        throw Object.assign(error, { parts: stream.parts });
      } finally {
        this.endStream(stream);
        this.pending.delete(stream);
      }
    }
  }

  /** True = call again, with a new request id. */
  async recover() {
    return false;
  }

  async issue(stream, tool, args) {
    const params = { name: tool, arguments: args, _meta: { progressToken: stream.id } };
    const stop = new AbortController();
    const answer = this.answerTo({ id: stream.id, method: 'tools/call', params }, stream);
    const ends = [answer, new Promise((_, reject) => Object.assign(stream, { giveUp: reject }))];
    if (this.timeoutMs !== undefined) ends.push(this.timeout(stream, stop.signal));
    for (const each of ends) each.catch(() => {});
    return Promise.race(ends).finally(() => stop.abort());
  }

  async timeout(stream, signal) {
    await sleep(this.timeoutMs, undefined, { signal });
    // 2025-11-25, basic/lifecycle, Timeouts: on expiry the sender SHOULD cancel and stop waiting.
    const params = { requestId: stream.id, reason: 'timed out' };
    const sent = this.post({ method: 'notifications/cancelled', params }).then(discard, () => {});
    await Promise.race([sent, sleep(200)]);
    throw Object.assign(new Error(`no answer within ${this.timeoutMs} ms`), { name: 'TimeoutError' });
  }

  async answerTo(message, stream) {
    const response = await this.post(message, stream);
    if (!response.ok) {
      await discard(response);
      throw new HttpError(response.status, `request ${stream.id}`);
    }
    const { result, error } = await this.followed(response, stream);
    if (error) throw Object.assign(new Error(error.message), { name: 'JsonRpcError' });
    return result;
  }

  // — streams —

  newStream() {
    this.lastId += 1;
    return { id: this.lastId, cursor: undefined, resumes: 0, parts: 0, seen: new Map(), over: false };
  }

  endStream(stream) {
    stream.over = true;
    stream.leg?.abort();
  }

  /** Reads a stream over all its legs, up to the answer that it was opened for. */
  async followed(first, stream) {
    let response = first;
    for (;;) {
      const answer = await this.readLeg(response, stream);
      if (answer) return answer;
      if (stream.over) return never();
      response = await this.reconnect(stream);
    }
  }

  /** Reads one response to its end; returns the answer that the stream was opened for, if it came. */
  async readLeg(response, stream) {
    Object.assign(stream, { legEvents: 0, partialId: undefined });
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('application/json')) {
      return this.route(await response.json().catch(() => ({})), stream);
    }
    if (!type.includes('text/event-stream')) return this.notAStream(response, stream);
    const iterator = events(response.body, (id) => {
      stream.partialId = id;
    });
    try {
      for (;;) {
        const { value: event, done } = await this.nextEvent(iterator, stream);
        if (done) return undefined;
        stream.legEvents += 1;
        const answer = this.receive(event, stream);
        if (answer) return answer;
      }
    } catch (error) {
      // What fetch throws when the connection goes in mid-body, or when we ended the leg ourselves.
      if (error instanceof TypeError || error.name === 'AbortError') return undefined;
      throw error;
    } finally {
      stream.leg?.abort();
    }
  }

  /** An answer without content says nothing; anything else is refused, as the official clients do. */
  async notAStream(response) {
    await discard(response);
    if (response.status === 202 || response.status === 204) return never();
    throw new HttpError(response.status, `content type ${response.headers.get('content-type')}`);
  }

  async nextEvent(iterator, stream) {
    const next = iterator.next();
    if (this.idleMs === undefined || !stream.watched) return next;
    next.catch(() => {});
    for (;;) {
      const stop = new AbortController();
      const idle = sleep(this.idleMs, 'silence', { signal: stop.signal }).catch(() => {});
      const first = await Promise.race([next, idle]).finally(() => stop.abort());
      if (first !== 'silence') return first;
      await this.onSilence(stream);
    }
  }

  /** Called for every `idleMs` that a call's stream is silent; throws to reject the call. */
  async onSilence() {}

  /** One whole event. Returns the answer that the stream was opened for, if this is it. */
  receive(event, stream) {
    if (event.retry !== undefined) stream.retryMs = event.retry;
    if (event.id !== undefined) stream.cursor = event.id;
    if (!event.data) return undefined;
    let message;
    try {
      message = JSON.parse(event.data);
    } catch {
      return undefined;
    }
    return this.route(message, stream);
  }

  route(message, stream) {
    if (message.method === undefined) return message.id === stream.id ? message : undefined;
    if (message.method === 'notifications/progress') stream.parts += 1;
    if (message.id !== undefined) this.reply(message).catch(() => {});
    return undefined;
  }

  async reply({ id, method }) {
    const refusal = { error: { code: -32601, message: `${method} is not supported` } };
    await discard(await this.post({ id, ...(method === 'ping' ? { result: {} } : refusal) }));
  }

  // — reconnecting —

  /** After a leg without the answer: the next leg. May throw to reject the call, or never settle. */
  async reconnect(stream) {
    for (let tries = 0; tries < resumeTries; tries += 1) {
      const cursor = this.cursorFor(stream);
      if (!cursor) return this.withoutCursor(stream);
      await this.pause(stream);
      const response = await this.resume(stream, cursor).catch(() => undefined);
      if (response?.ok) return response;
      if (response) await discard(response);
    }
    return never();
  }

  /** A broken stream that cannot be resumed. */
  async withoutCursor() {
    return never();
  }

  cursorFor(stream) {
    return stream.cursor;
  }

  /** 2025-11-25, basic/transports: the client MUST respect `retry`. */
  async pause(stream) {
    await sleep(stream.retryMs ?? defaultRetryMs);
  }

  async resume(stream, cursor) {
    stream.resumes += 1;
    this.resumes += 1;
    return this.get(stream, cursor);
  }

  // — HTTP —

  async post(message, stream) {
    return this.request('POST', { body: JSON.stringify({ jsonrpc: '2.0', ...message }), stream });
  }

  /** GET, with a cursor where there is one. */
  async get(stream, cursor) {
    return this.request('GET', { stream, headers: cursor ? { 'last-event-id': cursor } : {} });
  }

  async request(method, { body, stream, headers = {}, signal } = {}) {
    // A call that was settled meanwhile must not open anything more, and a client that is gone nothing at all.
    if (stream?.over || this.gone.signal.aborted) return never();
    const leg = new AbortController();
    if (stream) stream.leg = leg;
    const response = await fetch(settings.url, {
      method,
      body,
      signal: AbortSignal.any([signal ?? leg.signal, this.gone.signal]),
      headers: {
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(this.session !== undefined && {
          'mcp-session-id': this.session,
          'mcp-protocol-version': '2025-11-25',
        }),
        ...headers,
      },
    });
    this.onHead(response);
    return response;
  }

  /** Every response head that arrives. */
  onHead() {}

  // — marks —

  async mark(phase, details) {
    if (settings.marks) await this.postMark(phase, details);
  }

  async postMark(phase, details) {
    if (settings.control === undefined || this.gone.signal.aborted) return;
    const { scope } = settings;
    const body = JSON.stringify({ phase, scope, ...details });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${settings.control}/mark`, { method: 'POST', headers, body }).then(discard, () => {});
  }
}
