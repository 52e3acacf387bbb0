/** Scripts that speak enough MCP for a client to connect, so that a test writes only the part it is about. */
import { end, pause, type Script, type ScriptedRequest, type Step, write } from './scripted-server.ts';

export interface McpScripts {
  /** `tools/call`; the default answers at once. */
  readonly call?: Script;
  /** GET without a cursor; the default is 405, "no such stream here". */
  readonly get?: Script;
  /** GET with `Last-Event-ID`; the default is 405. */
  readonly resume?: Script;
  /** Any other message with an id; the default answers an empty result. */
  readonly other?: Script;
  /** Session id to hand out; a function is asked once for each `initialize`. */
  readonly session?: string | ((request: ScriptedRequest) => string);
}

export function mcpScript(scripts: McpScripts = {}): Script {
  let sessions = 0;
  return (request) => {
    const { verb, headers, json } = request;
    if (verb === 'DELETE') return empty(200);
    if (verb === 'GET') {
      const script = headers['last-event-id'] === undefined ? scripts.get : scripts.resume;
      return script?.(request) ?? empty(405);
    }
    if (json?.id === undefined || json.method === undefined) return empty(202);
    if (json.method === 'initialize') {
      sessions += 1;
      const session = scripts.session ?? `session-${sessions}`;
      const id = typeof session === 'string' ? session : session(request);
      return jsonAnswer(
        request,
        {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'scripted', version: '1' },
        },
        { 'mcp-session-id': id },
      );
    }
    if (json.method === 'tools/call' && scripts.call) return scripts.call(request);
    return scripts.other?.(request) ?? jsonAnswer(request, { content: [] });
  };
}

/** An answer without a body. */
export function empty(status: number, headers: Record<string, string> = {}): Step[] {
  return [write(head(status, { ...headers, 'content-length': '0' }))];
}

/** A result as `application/json`. */
export function jsonAnswer(
  request: ScriptedRequest,
  result: unknown,
  headers: Record<string, string> = {},
): Step[] {
  const body = JSON.stringify({ jsonrpc: '2.0', id: request.json?.id, result });
  return [
    write(
      head(200, {
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
    ),
    write(body),
  ];
}

/** The head of an event stream in chunked encoding. */
export function sseHead(headers: Record<string, string> = {}): Step {
  return write(
    head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', ...headers }),
  );
}

/** One chunk of a chunked body. */
export function chunk(bytes: Uint8Array | string): Step {
  const content = Buffer.from(bytes);
  return write(
    Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')]),
  );
}

/** The proper end of a chunked body. */
export const lastChunk: Step = write('0\r\n\r\n');

/** An event of an event stream; without data it is a priming event. */
export function event(id: string, message?: unknown): string {
  return `id: ${id}\ndata: ${message === undefined ? '' : JSON.stringify(message)}\n\n`;
}

export function progress(token: unknown, value: number): unknown {
  return {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token, progress: value, message: `part ${value}` },
  };
}

export function result(id: unknown, text = 'done'): unknown {
  return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
}

/** An open, silent event stream, as a GET stream without news is. */
export function silentStream(): Step[] {
  return [sseHead(), end('stall')];
}

export { end, pause };

function head(status: number, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`;
}
