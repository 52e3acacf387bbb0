/**
 * What comes to us and is no MCP: protocol upgrades at our own address, and whatever else a client sends that
 * takes us for its forward proxy. It passes untouched and unrecorded; http-proxy does it (measured: sockets
 * close on both sides).
 */
import type http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import httpProxy from 'http-proxy';
import { foreignAddress } from './guard-own-address.ts';
import type { UpstreamAddress } from './upstream-link.ts';

export interface NotMcp {
  /** Relays a request whose line names `target`, by the forward proxy that was in force before us, if any. */
  forward(request: IncomingMessage, response: ServerResponse, target: URL): void;
  /** How many requests were forwarded. */
  readonly forwarded: number;
}

export function passNotMcp(
  server: http.Server,
  host: string,
  upstream: UpstreamAddress,
  inheritedProxy: URL | undefined,
): NotMcp {
  const peer = httpProxy.createProxyServer({ target: upstream.url.origin, changeOrigin: true, ws: true });
  peer.on('error', (error, _request, to) => {
    if ('writeHead' in to && !to.headersSent)
      to.writeHead(502, { 'content-type': 'text/plain' }).end(`mcp-chaos: ${error.message}\n`);
    else if ('destroy' in to) to.destroy();
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
  let forwarded = 0;
  return {
    forward(request, response, target) {
      forwarded += 1;
      const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers;
      request.headers = headers;
      if (inheritedProxy === undefined) {
        request.url = target.pathname + target.search;
        peer.web(request, response, { target: target.origin, changeOrigin: false });
      } else {
        request.url = target.href;
        peer.web(request, response, { target: inheritedProxy.href, toProxy: true, changeOrigin: false });
      }
    },
    get forwarded() {
      return forwarded;
    },
  };
}
