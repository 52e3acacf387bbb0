/**
 * JSON-RPC 2.0 as MCP uses it. Reads what is there and judges nothing: the proxy must recognise a
 * sloppy server's answer as an answer.
 */

export interface Request {
  readonly type: 'request';
  readonly id: string | number;
  readonly method: string;
  /** `undefined` where the message has none. */
  readonly params: unknown;
}

export interface Notification {
  readonly type: 'notification';
  readonly method: string;
  readonly params: unknown;
}

export interface Response {
  readonly type: 'response';
  /** `null` where the sender could not tell which request it answers, or left it out of an error. */
  readonly id: string | number | null;
  readonly result?: unknown;
  /** A malformed error still answers its request: code 0 and message `''` stand for what is missing. */
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type Message = Request | Notification | Response;

/**
 * The messages of one HTTP body or one SSE data field, in order; `undefined` where it is not
 * JSON-RPC. Batches exist in 2025-03-26 only; elements that are no message are left out.
 */
export function readMessages(
  text: string,
): { readonly messages: readonly Message[]; readonly batch: boolean } | undefined {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return undefined;
  }
  const batch = Array.isArray(json);
  const messages = (batch ? (json as unknown[]) : [json])
    .map(readMessage)
    .filter((message) => message !== undefined);
  return messages.length === 0 ? undefined : { messages, batch };
}

function readMessage(json: unknown): Message | undefined {
  if (!isRecord(json) || json.jsonrpc !== '2.0') return undefined;
  const { id, method, params } = json;
  if (typeof method === 'string') {
    if (isId(id)) return { type: 'request', id, method, params };
    // `id: null` on a request is forbidden (2025-03-26 and later, basic, Requests) and is no notification either.
    return id === undefined ? { type: 'notification', method, params } : undefined;
  }
  const known = isId(id) ? id : id === null || id === undefined ? null : undefined;
  if (known === undefined) return undefined;
  const failed = isRecord(json.error) ? { error: readError(json.error) } : undefined;
  if ('result' in json && known !== null)
    return { type: 'response', id: known, result: json.result, ...failed };
  return failed && { type: 'response', id: known, ...failed };
}

function readError(error: Readonly<Record<string, unknown>>): NonNullable<Response['error']> {
  return {
    code: typeof error.code === 'number' ? error.code : 0,
    message: typeof error.message === 'string' ? error.message : '',
    ...('data' in error ? { data: error.data } : {}),
  };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
