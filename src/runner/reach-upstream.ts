/**
 * Is there anybody at the upstream's address? Asked before the suite starts, so that a mistyped port is
 * a message and not a suite full of failures that look like the client's.
 *
 * Only a connection is opened: a request of ours could begin a session, or use up a scripted answer.
 */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ChaosError } from '../errors.ts';

/** Rejects with `upstream-unreachable`, saying why, unless a connection stands within `timeoutMs`. */
export async function reachUpstream(url: URL, timeoutMs = 5000): Promise<void> {
  const socket = open(url);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        resolve();
      });
      socket.once('error', (error) => {
        clearTimeout(timer);
        reject(error);
      });
    });
  } catch (error) {
    throw unreachable(url, error as NodeJS.ErrnoException);
  } finally {
    socket.on('error', () => {});
    socket.destroy();
  }
}

function open(url: URL): Socket {
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  if (!secure) return connectTcp({ host, port });
  // An IP address must not be sent as a server name (RFC 6066, section 3).
  return connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) });
}

function unreachable(url: URL, error: NodeJS.ErrnoException): ChaosError {
  const where = `the upstream ${url.origin}${url.pathname}`;
  const make = (found: string, hint: string): ChaosError =>
    new ChaosError('upstream-unreachable', `${where} cannot be reached: ${found}`, { hint, cause: error });
  switch (error.code) {
    case 'ECONNREFUSED':
      return make('nothing listens there', 'Start the server first, or check the port in --upstream.');
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return make(`the name "${url.hostname}" does not resolve`, 'Check the host in --upstream.');
    default:
      // Happy-eyeballs errors carry their parts in `errors` and have an empty message.
      return make(
        error.message || error.code || 'unknown error',
        `Check --upstream, and that it speaks ${url.protocol.slice(0, -1)}.`,
      );
  }
}
