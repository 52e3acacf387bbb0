/**
 * The servers of one run by their logical names. The run's own upstream has its name; one that a client
 * addresses by itself is `server-1`, `server-2`, … in the order of first use inside a scope: ports are
 * random, and other scopes come and go.
 */
import type { UpstreamAddress } from './upstream-link.ts';

export interface Upstreams {
  /** The server at `origin`, by its name in `scope`. */
  of(scope: string, origin: string, verified: boolean): UpstreamAddress;
  /** A session that began elsewhere is used in `scope`: its server has the same name there, where it has none. */
  bring(scope: string, server: UpstreamAddress): void;
}

export function createUpstreams(own: UpstreamAddress): Upstreams {
  const scopes = new Map<string, Map<string, UpstreamAddress>>();
  const serversOf = (scope: string): Map<string, UpstreamAddress> => {
    const servers = scopes.get(scope) ?? new Map<string, UpstreamAddress>();
    scopes.set(scope, servers);
    return servers;
  };
  return {
    of(scope, origin, verified) {
      if (origin === own.url.origin) return own;
      const servers = serversOf(scope);
      let server = servers.get(origin);
      if (server === undefined) {
        server = { name: freeName(servers), url: new URL(origin), byClient: { verified } };
        servers.set(origin, server);
      }
      return server;
    },
    bring(scope, server) {
      const servers = serversOf(scope);
      const taken = [...servers.values()].some(({ name }) => name === server.name);
      if (server !== own && !taken && !servers.has(server.url.origin)) servers.set(server.url.origin, server);
    },
  };
}

function freeName(servers: ReadonlyMap<string, UpstreamAddress>): string {
  const taken = new Set([...servers.values()].map(({ name }) => name));
  for (let number = 1; ; number += 1) if (!taken.has(`server-${number}`)) return `server-${number}`;
}
