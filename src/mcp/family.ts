/**
 * Is a request Streamable HTTP MCP at all, and of which wire family: the one with sessions and
 * resumable streams (2025-03-26 to 2025-11-25), or the stateless one (2026-07-28). Read from the
 * request alone, because one run may carry both.
 */
import { type Message, readMessages } from './message.ts';
import { hasSessions } from './revision.ts';

export type Family = 'session' | 'stateless' | 'none';

/** 2026-07-28, basic: every request names its revision in `_meta`. */
const revisionKey = 'io.modelcontextprotocol/protocolVersion';

/** Header names in lower case; `body` undefined where there is none or it is not known yet. Never throws. */
export function classifyRequest(
  verb: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string | undefined,
): Family {
  const inSession = headers['mcp-session-id'] !== undefined;
  switch (verb.toUpperCase()) {
    case 'GET':
      // With neither session nor revision nor cursor it may be a client of HTTP+SSE (2024-11-05), which begins so.
      return inSession || (acceptsEventStream(headers.accept) && namesItself(headers)) ? 'session' : 'none';
    case 'DELETE':
      return inSession ? 'session' : 'none';
    case 'POST': {
      if (headers['mcp-method'] !== undefined && !saysSession(headers)) return 'stateless';
      const read = body === undefined ? undefined : readMessages(body);
      if (read?.messages.some(namesRevision)) return 'stateless';
      return inSession || read !== undefined ? 'session' : 'none';
    }
    default:
      return 'none';
  }
}

function namesItself(headers: Readonly<Record<string, string | undefined>>): boolean {
  return headers['mcp-protocol-version'] !== undefined || headers['last-event-id'] !== undefined;
}

/**
 * `Mcp-Method` came with 2026-07-28, but the published client 2.x sends it when it speaks an older revision too
 * (seen: mcp-remote 0.15.1 under 2025-06-18). What else the request says goes before it.
 */
function saysSession(headers: Readonly<Record<string, string | undefined>>): boolean {
  const revision = headers['mcp-protocol-version'];
  if (revision !== undefined) return hasSessions(revision);
  return headers['mcp-session-id'] !== undefined || headers['mcp-method'] === 'initialize';
}

/** The tool or prompt name, or the resource URI, that a message is about. */
export function toolOf(message: Message): string | undefined {
  if (message.type === 'response' || !isRecord(message.params)) return undefined;
  switch (message.method) {
    case 'tools/call':
    case 'prompts/get':
      return text(message.params.name);
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
    case 'notifications/resources/updated':
      return text(message.params.uri);
    default:
      return undefined;
  }
}

function namesRevision(message: Message): boolean {
  if (message.type === 'response' || !isRecord(message.params)) return false;
  const meta = message.params._meta;
  return isRecord(meta) && typeof meta[revisionKey] === 'string';
}

function acceptsEventStream(accept: string | undefined): boolean {
  return (
    accept?.split(',').some((range) => range.split(';')[0]!.trim().toLowerCase() === 'text/event-stream') ??
    false
  );
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
