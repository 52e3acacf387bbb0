/**
 * `mcp-chaos/mark`: one line in a test suite closes what the wire cannot show.
 *
 * Best effort by design: outside of a run it does nothing, and inside one it never throws and never
 * keeps the process alive longer than the post takes. Depends on nothing but Node's `fetch`.
 */

export type MarkPhase = 'started' | 'resolved' | 'rejected';

export interface MarkDetails {
  /** What a reader would call it: the name of the test or call. */
  readonly name?: string;
  /** Whose traffic it belongs to; the scope in `{url}/s/<scope>`. */
  readonly scope?: string;
  readonly tool?: string;
  /** The JSON-RPC id of the request that it is about. */
  readonly requestId?: string | number;
  /** What a call was rejected with; of an `Error` its name and message are sent. */
  readonly error?: unknown;
}

/** Where marks go: `MCP_CHAOS_CONTROL`, as the run set it; undefined outside of a run. */
function controlAddress(): string | undefined {
  const address = process.env.MCP_CHAOS_CONTROL;
  return address === undefined || address === '' ? undefined : address;
}

/** Posts one mark. Resolves with whether it was taken; never rejects. */
export async function mark(phase: MarkPhase, details: MarkDetails = {}): Promise<boolean> {
  const address = controlAddress();
  if (address === undefined) return false;
  const { error, ...rest } = details;
  const body = JSON.stringify({ phase, ...rest, ...(error === undefined ? {} : { error: describe(error) }) });
  try {
    const response = await fetch(`${address}/mark`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(2000),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** Marks a call from start to end, and passes on what it gave or threw. */
export async function marked<T>(details: Omit<MarkDetails, 'error'>, call: () => Promise<T>): Promise<T> {
  await mark('started', details);
  try {
    const value = await call();
    await mark('resolved', details);
    return value;
  } catch (error) {
    await mark('rejected', { ...details, error });
    throw error;
  }
}

/**
 * The MCP endpoint under which traffic belongs to `scope`: `MCP_CHAOS_URL` with `/s/<scope>` before its path.
 * Outside of a run it is `fallback`, the suite's own endpoint.
 */
export function scopeUrl(scope: string, fallback?: string): string {
  const given = process.env.MCP_CHAOS_URL;
  if (given === undefined || given === '') {
    if (fallback !== undefined) return fallback;
    throw new Error(
      'MCP_CHAOS_URL is not set, and no other endpoint was given: run the suite with mcp-chaos, or pass one',
    );
  }
  const url = new URL(given);
  url.pathname = `/s/${encodeURIComponent(scope)}${url.pathname}`;
  return url.href;
}

function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.slice(0, 2000) || 'unknown error';
}
