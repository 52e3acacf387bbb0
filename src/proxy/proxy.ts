/**
 * The proxy: one listener on loopback in front of the run's upstream and of every server that a client names, writing everything that happens to the
 * recorder. All state lives in the returned object; `close` ends every connection.
 */
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ChaosError } from '../errors.ts';
import { createRecogniser } from '../intercept/recognise.cjs';
import type { Profile } from '../profiles/schema.ts';
import type { Decision } from '../schedule/decision.ts';
import { createWaiting, type Injected, type Injection, inject } from './by-hand.ts';
import { handleExchange } from './exchange.ts';
import { isLoopback } from './guard-own-address.ts';
import { createLanes } from './lanes.ts';
import type { Recorder } from './recorder.ts';
import type { RunContext } from './run-context.ts';
import { passUntouched, type Untouched } from './untouched.ts';
import type { UpstreamAddress } from './upstream-link.ts';
import { createUpstreams } from './upstreams.ts';

export interface ProxyOptions {
  /** Address to bind; loopback unless `allowRemote`. */
  readonly host?: string;
  /** 0 = any free port. */
  readonly port?: number;
  readonly upstream: UpstreamAddress;
  readonly profile: Profile;
  readonly seed: string;
  readonly record: Recorder;
  /** Bounds of the replay store, for each session. */
  readonly store: { readonly maxEvents: number; readonly maxBytes: number };
  readonly deadlineMs: number;
  /** Recorded decisions, applied as written instead of drawing. */
  readonly decisions?: readonly Decision[];
  /** Decision ids that may act; all others are as if not drawn. */
  readonly only?: readonly string[];
  /** A person may arm faults too: every stream is looked at frame by frame, under any profile. */
  readonly byHand?: boolean;
  /** Allows a bind or an upstream that is not loopback. */
  readonly allowRemote?: boolean;
  /** The forward proxy that the wrapped command would use without us. */
  readonly inheritedProxy?: URL;
}

export interface RunningProxy {
  /** The MCP endpoint to connect to. */
  readonly url: string;
  readonly port: number;
  /** Whoever shows it may name the server that a request is meant for. */
  readonly token: string;
  /** Requests that passed untouched. */
  readonly untouched: Untouched['counts'];
  /** Arms a fault by hand; refused without `byHand`. */
  inject(injection: Injection): Injected;
  close(): Promise<void>;
}

/**
 * @throws ChaosError `remote-refused` for a bind or upstream beyond loopback without `allowRemote`,
 * `port-in-use` where the port is taken.
 */
export async function startProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { host = '127.0.0.1', port = 0, upstream, record, deadlineMs } = options;
  if (options.allowRemote !== true) refuseRemote(host, upstream);

  let origin = '';
  let exchanges = 0;
  let connections = 0;
  let streams = 0;
  const timers = new Set<NodeJS.Timeout>();
  const warned = new Set<string>();
  const sockets = new Map<Socket, number>();
  const lanes = createLanes(options.store);
  const waiting = options.byHand === true ? createWaiting() : undefined;
  // Node's own limits would end a quiet stream or a slow upload; calm is the identity.
  const server = http.createServer(
    { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, connectionsCheckingInterval: 2 ** 30 },
    (request, response) => {
      exchanges += 1;
      handleExchange(
        run,
        host,
        { exchange: exchanges, connection: sockets.get(request.socket) ?? 0 },
        request,
        response,
      );
    },
  );
  const run: RunContext = {
    record,
    lanes,
    upstream,
    upstreams: createUpstreams(upstream),
    token: randomBytes(18).toString('base64url'),
    allowRemote: options.allowRemote === true,
    isMcp: createRecogniser(),
    untouched: passUntouched(server, host, upstream, options.inheritedProxy),
    deadlineMs,
    arming: {
      profile: options.profile,
      seed: options.seed,
      decisions: options.decisions,
      only: options.only,
      waiting,
    },
    active:
      options.byHand === true || options.profile.rules.length > 0 || options.profile.contract !== 'opaque',
    origin: () => origin,
    watch(since) {
      if (since === 0) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        record({ kind: 'deadline-elapsed', since });
      }, deadlineMs);
      timer.unref();
      timers.add(timer);
    },
    nextStream() {
      streams += 1;
      return streams;
    },
    notDeterministic(scope, why) {
      const said = `${scope}\n${why}`;
      if (warned.has(said)) return;
      warned.add(said);
      record({ kind: 'not-deterministic', scope, why });
    },
  };

  server.on('connection', (socket) => {
    connections += 1;
    sockets.set(socket, connections);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error, socket) => socket.destroy());

  await listen(server, host, port);
  const bound = server.address() as AddressInfo;
  origin = `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;

  return {
    url: origin + upstream.url.pathname,
    port: bound.port,
    inject: (injection) =>
      waiting === undefined
        ? { ok: false, why: 'this run takes no faults by hand' }
        : inject({ record, lanes, waiting }, injection),
    token: run.token,
    untouched: run.untouched.counts,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const lane of lanes.all()) {
        for (const stream of lane.streams.values()) {
          clearTimeout(stream.graceTimer);
          const { source } = stream;
          stream.source = undefined;
          source?.destroy();
        }
      }
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.keys()) socket.destroy();
      await closed;
    },
  };
}

function listen(server: http.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') {
        reject(
          new ChaosError('port-in-use', `cannot listen on ${host}:${port}: the port is in use`, {
            hint: 'choose another with --listen host:port, or leave it out for a free one',
            cause: error,
          }),
        );
      } else {
        reject(
          new ChaosError('usage', `cannot listen on ${host}:${port}: ${error.message}`, {
            hint: 'give an address of this machine with --listen host:port',
            cause: error,
          }),
        );
      }
    });
    server.listen(port, host, resolve);
  });
}

function refuseRemote(host: string, upstream: UpstreamAddress): void {
  const hint = 'pass --allow-remote if that is what you want; faults then reach whoever uses it';
  if (!isLoopback(host))
    throw new ChaosError('remote-refused', `--listen ${host}: only loopback addresses are bound by default`, {
      hint,
    });
  if (!isLoopback(upstream.url.hostname)) {
    throw new ChaosError(
      'remote-refused',
      `upstream ${upstream.url.host}: only loopback upstreams are used by default`,
      { hint },
    );
  }
}
