/** Which scope and which upstream path a request line means. */

export interface Route {
  readonly scope: string;
  /** Path and query as upstream knows them. */
  readonly path: string;
}

/** The scope of traffic that names none. */
export const defaultScope = 'main';

/** `/s/<scope>/rest` names a scope by URL; a scope header does too, and wins. */
export function routeOf(url: string, scopeFromHeader: string | undefined): Route {
  const match = /^\/s\/([^/?#]+)(\/.*)?$/s.exec(url);
  if (match === null) return { scope: scopeFromHeader ?? defaultScope, path: url };
  return { scope: scopeFromHeader ?? decode(match[1]!), path: match[2] ?? '/' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
