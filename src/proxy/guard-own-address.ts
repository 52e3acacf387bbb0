/**
 * DNS rebinding and cross-site requests: whoever reaches a listener of ours must name a loopback host (or the
 * host that the operator bound), and a browser's Origin must be loopback too (2025-11-25, basic/transports,
 * Security Warning: servers MUST validate Origin, and answer 403). Checked before our authority is replaced
 * by the upstream's, so an upstream's own check is never defeated through us.
 */

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/** The reason to refuse with 403, or undefined. `host` is the address the listener was bound to. */
export function foreignAddress(
  headers: { host?: string | undefined; origin?: string | undefined },
  host: string,
): string | undefined {
  const named = hostnameOf(headers.host);
  if (named === undefined) return 'the request has no valid Host header';
  if (!isOwn(named, host)) return `Host "${headers.host}" is not this address`;
  if (headers.origin === undefined) return undefined;
  const origin = originHostname(headers.origin);
  if (origin === undefined || !isOwn(origin, host)) return `Origin "${headers.origin}" is foreign`;
  return undefined;
}

export function isLoopback(hostname: string): boolean {
  return loopback.test(hostname) || hostname === '::1';
}

function isOwn(hostname: string, bound: string): boolean {
  return isLoopback(hostname) || hostname.toLowerCase() === bound.toLowerCase();
}

function hostnameOf(host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  return originHostname(`http://${host}`);
}

function originHostname(origin: string): string | undefined {
  try {
    return new URL(origin).hostname;
  } catch {
    return undefined;
  }
}
