/**
 * The servers of one run by their logical names. The run's own upstream has its name; one that a client
 * addresses by itself is `server-1`, `server-2`, … in the order of first use inside a scope: ports are
 * random, and other scopes come and go.
 */
import type { UpstreamAddress } from './upstream-link.ts';

export interface Upstreams {
  /** The server at `origin`, by its name in `scope`. */
  of(scope: string, origin: string, verified: boolean): UpstreamAddress;
}

export function createUpstreams(own: UpstreamAddress): Upstreams {
  const scopes = new Map<string, Map<string, UpstreamAddress>>();
  return {
    of(scope, origin, verified) {
      if (origin === own.url.origin) return own;
      let servers = scopes.get(scope);
      if (servers === undefined) {
        servers = new Map();
        scopes.set(scope, servers);
      }
      let server = servers.get(origin);
      if (server === undefined) {
        server = { name: `server-${servers.size + 1}`, url: new URL(origin), byClient: { verified } };
        servers.set(origin, server);
      }
      return server;
    },
  };
}
