/** The liveness signal: a `ping` on the session whose stream is silent (2025-11-25, basic/utilities/ping). */
import { type FetchLike, postHeaders } from './outgoing.ts';

/** `refused`: the server does not know the session. `unclear`: it may be busy, or wants a login. */
export type Liveness = 'alive' | 'refused' | 'unclear';

let pings = 0;

/** `headers` are those of a request that the client made in this session; they hold its id and its login. */
export async function probeSession(
  fetch: FetchLike,
  url: string,
  like: Headers,
  signal: AbortSignal,
): Promise<Liveness> {
  pings += 1;
  const id = `mcp-chaos-guard-ping-${pings}`;
  try {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
    const response = await fetch(url, { method: 'POST', headers: postHeaders(like), body, signal });
    // 400 is what servers say to a session they do not know when they do not say 404.
    if (response.status === 404 || response.status === 400) return 'refused';
    if (!response.ok || response.body === null) return 'unclear';
    return (await bodyContains(response.body, `"${id}"`)) ? 'alive' : 'unclear';
  } catch {
    return 'unclear';
  }
}

/** The answer may be JSON or an event, and the stream need not end after it. An error answers too. */
async function bodyContains(body: ReadableStream<Uint8Array>, text: string): Promise<boolean> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let read = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return false;
      read += decoder.decode(value, { stream: true });
      if (read.includes(text)) return true;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
