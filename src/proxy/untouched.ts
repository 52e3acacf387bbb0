/**
 * What passes us untouched and unrecorded: protocol upgrades at our own address, whatever is no MCP of a client
 * that takes us for its forward proxy, and MCP under a fake clock. http-proxy does it (measured: sockets close
 * on both sides).
 */
import type http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import httpProxy from 'http-proxy';
import { isLoopback } from '../intercept/recognise.cjs';
import { foreignAddress } from './guard-own-address.ts';
import { scopeHeader, sessionHeader, viaHeader } from './headers.ts';
import type { UpstreamAddress } from './upstream-link.ts';

/** `forwarded` = no MCP; `fake-timers` = a session that began under a fake clock. */
export type Untouchable = 'forwarded' | 'fake-timers';

export interface Untouched {
  /** Relays a request for `target`; to another machine by the forward proxy that was in force before us, if any. */
  relay(request: IncomingMessage, response: ServerResponse, target: URL, why: Untouchable): void;
  /** A session that began untouched stays so. */
  hasSession(origin: string, session: string): boolean;
  /** How many requests were relayed. */
  readonly counts: ReadonlyMap<Untouchable, number>;
}

export function passUntouched(
  server: http.Server,
  host: string,
  upstream: UpstreamAddress,
  inheritedProxy: URL | undefined,
): Untouched {
  const counts = new Map<Untouchable, number>();
  const sessions = new Set<string>();
  const targets = new WeakMap<IncomingMessage, string>();
  const peer = httpProxy.createProxyServer({ target: upstream.url.origin, changeOrigin: true, ws: true });
  peer.on('error', (error, _request, to) => {
    if ('writeHead' in to && !to.headersSent)
      to.writeHead(502, { 'content-type': 'text/plain' }).end(`mcp-chaos: ${error.message}\n`);
    else if ('destroy' in to) to.destroy();
  });
  peer.on('proxyRes', ({ headers }, request) => {
    const session = headers[sessionHeader];
    if (session !== undefined) sessions.add(`${targets.get(request)}\n${session}`);
  });
  server.on('upgrade', (request, socket, head) => {
    const own = (request.url ?? '').startsWith('/') && foreignAddress(request.headers, host) === undefined;
    if (own) peer.ws(request, socket, head);
    else socket.destroy();
  });
  server.on('connect', (request, socket) => {
    const why = `mcp-chaos forwards plain http and opens no tunnel (CONNECT ${request.url ?? ''}): it sets http_proxy only`;
    socket.on('error', () => {});
    socket.end(`HTTP/1.1 405 No tunnels\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${why}\n`);
  });
  return {
    relay(request, response, target, why) {
      counts.set(why, (counts.get(why) ?? 0) + 1);
      targets.set(request, target.origin);
      for (const name of ['proxy-authorization', 'proxy-connection', viaHeader, scopeHeader])
        delete request.headers[name];
      if (inheritedProxy === undefined || isLoopback(target.hostname)) {
        request.url = target.pathname + target.search;
        peer.web(request, response, { target: target.origin, changeOrigin: false });
      } else {
        request.url = target.href;
        peer.web(request, response, { target: inheritedProxy.href, toProxy: true, changeOrigin: false });
      }
    },
    hasSession: (origin, session) => sessions.has(`${origin}\n${session}`),
    counts,
  };
}
