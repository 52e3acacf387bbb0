/**
 * The proxy: one listener on loopback in front of one upstream, writing everything that happens to the
 * recorder. All state lives in the returned object; `close` ends every connection.
 */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import httpProxy from 'http-proxy';
import { ChaosError } from '../errors.ts';
import type { Profile } from '../profiles/schema.ts';
import type { Decision } from '../schedule/decision.ts';
import { handleExchange } from './exchange.ts';
import { foreignAddress, isLoopback } from './guard-own-address.ts';
import { createLanes } from './lanes.ts';
import type { Recorder } from './recorder.ts';
import type { RunContext } from './run-context.ts';
import type { UpstreamAddress } from './upstream-link.ts';

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
  /** Allows a bind or an upstream that is not loopback. */
  readonly allowRemote?: boolean;
}

export interface RunningProxy {
  /** The MCP endpoint to connect to. */
  readonly url: string;
  readonly port: number;
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
  const run: RunContext = {
    record,
    lanes,
    upstream,
    deadlineMs,
    arming: {
      profile: options.profile,
      seed: options.seed,
      decisions: options.decisions,
      only: options.only,
    },
    active: options.profile.rules.length > 0 || options.profile.contract !== 'opaque',
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
    notDeterministic(scope) {
      if (warned.has(scope)) return;
      warned.add(scope);
      record({
        kind: 'not-deterministic',
        scope,
        why: 'sessions of this scope were at work at the same time, so which is which depends on timing; give each client a scope of its own ({url}/s/<scope>)',
      });
    },
  };

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
  server.on('connection', (socket) => {
    connections += 1;
    sockets.set(socket, connections);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  passUpgrades(server, host, upstream);

  await listen(server, host, port);
  const bound = server.address() as AddressInfo;
  origin = `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`;

  return {
    url: origin + upstream.url.pathname,
    port: bound.port,
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

/** Protocol upgrades are not MCP; http-proxy passes them (measured: sockets close on both sides). */
function passUpgrades(server: http.Server, host: string, upstream: UpstreamAddress): void {
  const peer = httpProxy.createProxyServer({ target: upstream.url.origin, changeOrigin: true, ws: true });
  peer.on('error', (_error, _request, socket) => {
    if ('destroy' in socket) socket.destroy();
  });
  server.on('upgrade', (request, socket, head) => {
    if (foreignAddress(request.headers, host) === undefined) peer.ws(request, socket, head);
    else socket.destroy();
  });
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
