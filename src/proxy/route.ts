/** Which scope and which upstream path a request line means. */

export interface Route {
  readonly scope: string;
  /** Path and query as upstream knows them. */
  readonly path: string;
}

/** The scope of traffic that names none. */
export const defaultScope = 'main';

/**
 * A scope is named by URL, as `/s/<scope>/mcp` or as `/mcp/s/<scope>` (what a suite gets by appending to the
 * URL it was given), or by a header, which wins. `endpoint` is upstream's MCP path, `otherwise` the
 * scope where none is named.
 */
export function routeOf(
  url: string,
  endpoint: string,
  scopeFromHeader: string | undefined,
  otherwise: string = defaultScope,
): Route {
  const prefixed = /^\/s\/([^/?#]+)(\/.*)?$/s.exec(url);
  if (prefixed !== null) return { scope: scopeFromHeader ?? decode(prefixed[1]!), path: prefixed[2] ?? '/' };
  const appended = url.startsWith(`${endpoint}/s/`)
    ? /^([^/?#]+)(\?.*)?$/s.exec(url.slice(endpoint.length + 3))
    : null;
  if (appended !== null)
    return { scope: scopeFromHeader ?? decode(appended[1]!), path: endpoint + (appended[2] ?? '') };
  return { scope: scopeFromHeader ?? otherwise, path: url };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
