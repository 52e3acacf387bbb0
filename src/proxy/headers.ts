/**
 * Header passes, on raw name/value lists so that case, order and duplicates survive.
 */
import { createHash } from 'node:crypto';
import type { UpstreamAddress } from './upstream-link.ts';

/** A flat list: name, value, name, value, … as Node's `rawHeaders`. */
export type RawHeaders = readonly string[];

/** RFC 9110 section 7.6.1: they belong to one connection, never forwarded. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The only headers that reach the journal; none of them can carry a credential. */
const journalled = new Set([
  'accept',
  'content-type',
  'content-length',
  'content-encoding',
  'cache-control',
  'retry-after',
  'allow',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]);

export const sessionHeader = 'mcp-session-id';
export const scopeHeader = 'mcp-chaos-scope';
/** From the preload: the server that a request is meant for. */
export const viaHeader = 'mcp-chaos-via';

export function* pairs(raw: RawHeaders): Generator<readonly [name: string, value: string]> {
  for (let i = 0; i + 1 < raw.length; i += 2) yield [raw[i]!, raw[i + 1]!];
}

/** Without hop-by-hop headers, those that `Connection` names, and `drop`. */
export function endToEnd(raw: RawHeaders, drop: readonly string[] = []): string[] {
  const named = new Set(drop);
  for (const [name, value] of pairs(raw)) {
    if (name.toLowerCase() === 'connection')
      for (const token of value.split(',')) named.add(token.trim().toLowerCase());
  }
  const kept: string[] = [];
  for (const [name, value] of pairs(raw)) {
    const lower = name.toLowerCase();
    if (!hopByHop.has(lower) && !named.has(lower)) kept.push(name, value);
  }
  return kept;
}

/** Replaces a header in place (name as it was spelled), appends it, or removes it with `null`. */
export function withHeader(raw: RawHeaders, name: string, value: string | null): string[] {
  const changed: string[] = [];
  let done = value === null;
  for (const [key, old] of pairs(raw)) {
    if (key.toLowerCase() !== name.toLowerCase()) changed.push(key, old);
    else if (!done) {
      changed.push(key, value!);
      done = true;
    }
  }
  if (!done) changed.push(name, value!);
  return changed;
}

/** In the session as upstream knows it, and uncompressed: a compressed body could not be looked into. */
export function forUpstream(raw: RawHeaders, session: string | undefined): string[] {
  const own = session === undefined ? raw : withHeader(raw, 'Mcp-Session-Id', session);
  return withHeader(own, 'Accept-Encoding', null);
}

export function headerOf(raw: RawHeaders, name: string): string | undefined {
  for (const [key, value] of pairs(raw)) if (key.toLowerCase() === name) return value;
  return undefined;
}

/** `Last-Event-ID` as text: ids are UTF-8 (WHATWG HTML 9.2), which Node hands over byte by byte. */
export function cursorOf(raw: RawHeaders): string | undefined {
  const value = headerOf(raw, 'last-event-id');
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8');
}

/** What the journal may keep of a head. */
export function journalHeaders(raw: RawHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of pairs(raw)) {
    const lower = name.toLowerCase();
    if (journalled.has(lower)) kept[lower] = lower in kept ? `${kept[lower]}, ${value}` : value;
  }
  return kept;
}

/**
 * Session ids are credentials to some servers; the journal holds a pseudonym. Servers that a client addresses by
 * itself are many, and two of them may give the same id.
 */
export function pseudonym(session: string, upstream: UpstreamAddress): string {
  const whose = upstream.byClient === undefined ? '' : `${upstream.url.origin}\n`;
  return createHash('sha256').update(whose).update(session).digest('hex').slice(0, 12);
}

export function isEventStream(raw: RawHeaders): boolean {
  return /^\s*text\/event-stream\s*(;|$)/i.test(headerOf(raw, 'content-type') ?? '');
}

export function isJson(raw: RawHeaders): boolean {
  return /^\s*application\/(?:[\w.+-]+\+)?json\s*(;|$)/i.test(headerOf(raw, 'content-type') ?? '');
}
