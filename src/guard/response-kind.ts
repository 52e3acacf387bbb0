/** What a response means, before its body is looked at. */
import type { Failure } from './failure.ts';
import type { Session } from './session.ts';

/** What a response says about the session of its request, by the second seed's first step. */
export function brokenSession(session: Session, response: Response, lastSeenId: string): Failure | undefined {
  if (session.id === undefined) return undefined;
  if (response.status === 404) {
    return {
      cause: 'session-lost',
      message: 'the server answered 404: it does not know the session',
      lastSeenId,
    };
  }
  const id = response.headers.get('mcp-session-id');
  if (id === null || id === session.id) return undefined;
  return { cause: 'session-changed', message: 'the server answered with another Mcp-Session-Id', lastSeenId };
}

export function isStream(response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  return /^text\/event-stream\s*(;|$)/i.test(type.trim()) && response.status === 200;
}

/** A login, a redirect, a conflict with the connection before, a server under load: the client's to handle. */
export function isForNow(status: number): boolean {
  return (
    status < 200 ||
    (status > 299 && status < 400) ||
    status > 499 ||
    [401, 403, 408, 409, 425, 429].includes(status)
  );
}
