// @ts-check
/**
 * Is a request Streamable HTTP MCP? Read off what it is, before it is sent, because anything else must go
 * its own way. Used by the preload and, for other languages, by the proxy.
 *
 * Stricter than the proxy is behind its own address, where everything at the endpoint is meant for it: an
 * event stream alone may be a web page's, and JSON-RPC alone may be anybody's.
 *
 * Plain JavaScript, like everything in this folder: other people's Node loads it as it is, from src/ and dist/ alike.
 */

/**
 * @typedef {{
 *   readonly verb: string,
 *   readonly url: string,
 *   header(name: string): string | undefined,
 *   readonly body?: string | undefined,
 * }} Sighting What is known of a request: `url` without its query, header names in lower case, `body` where it is at hand.
 */

/** @returns {(seen: Sighting) => boolean} A recogniser that remembers where it has seen an MCP POST. */
exports.createRecogniser = () => {
  /** @type {Set<string>} */
  const endpoints = new Set();
  return (seen) => {
    switch (seen.verb) {
      case 'POST':
        if (!isMcpPost(seen)) return false;
        endpoints.add(seen.url);
        return true;
      case 'GET':
        // The older HTTP+SSE transport (2024-11-05) opens its stream before it has posted anything.
        return accepts(seen, 'text/event-stream') && (inSession(seen) || endpoints.has(seen.url));
      case 'DELETE':
        return inSession(seen);
      default:
        return false;
    }
  };
};

/**
 * 2025-11-25, basic/transports, Sending Messages: the client MUST accept both JSON and event streams; the
 * older transport's POST accepts no stream and has no session header.
 * @param {Sighting} seen
 */
function isMcpPost(seen) {
  if (!/^\s*application\/json\s*(;|$)/i.test(seen.header('content-type') ?? '')) return false;
  const named = inSession(seen) || seen.header('mcp-method') !== undefined;
  if (!named && !(accepts(seen, 'text/event-stream') && accepts(seen, 'application/json'))) return false;
  return seen.body === undefined || /"jsonrpc"\s*:\s*"2\.0"/.test(seen.body);
}

/** @param {Sighting} seen */
function inSession(seen) {
  return seen.header('mcp-session-id') !== undefined;
}

/** @param {Sighting} seen @param {string} type */
function accepts(seen, type) {
  const ranges = seen.header('accept')?.split(',') ?? [];
  return ranges.some((range) => range.split(';')[0]?.trim().toLowerCase() === type);
}

/**
 * Connecting to the unspecified address reaches this machine too, and servers print it.
 * @param {string} hostname With or without brackets.
 */
exports.isLoopback = (hostname) => /^(localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[?::1?\]?)$/i.test(hostname);
