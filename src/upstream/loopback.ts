/**
 * DNS-rebinding guard: a web page must not reach a server on loopback through a name that it controls.
 * 2025-11-25, basic/transports, Security Warning: servers MUST validate Origin, and answer 403.
 */
import type { IncomingHttpHeaders } from 'node:http';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for the addresses and the name of this machine's loopback, with or without brackets. */
export function isLoopback(host: string): boolean {
  return loopbackNames.has(host) || host === '::1';
}

/** Why a request to a loopback server is refused; undefined when it may pass. Ports do not matter. */
export function foreignAuthority(headers: IncomingHttpHeaders): string | undefined {
  if (!isLoopback(hostnameOf(`http://${headers.host ?? ''}`))) {
    return `Host "${headers.host ?? ''}" is not a loopback name (expected localhost, 127.0.0.1 or [::1])`;
  }
  // Node joins repeated Origin headers, which then parse as no URL and are refused.
  if (headers.origin !== undefined && !isLoopback(hostnameOf(headers.origin))) {
    return `Origin "${headers.origin}" is not a loopback origin`;
  }
  return undefined;
}

function hostnameOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
}
