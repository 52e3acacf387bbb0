/**
 * OAuth protected-resource metadata (RFC 9728) and `WWW-Authenticate` name the upstream's own URL; the
 * official client refuses a resource that is not the URL it connected to. So they are made to name ours,
 * and that is recorded: the one place where `calm` is not the identity.
 */
import { pairs, type RawHeaders } from './headers.ts';

const metadataPath = /^\/\.well-known\/oauth-protected-resource(\/|$)/;

export function isResourceMetadata(verb: string, path: string): boolean {
  return verb === 'GET' && metadataPath.test(path);
}

/** Larger metadata passes unread. */
export const maxMetadataBytes = 256 * 1024;

/** The document with upstream's origin replaced in `resource`, or undefined where there is nothing to change. */
export function renameResource(body: string, upstreamOrigin: string, ownOrigin: string): string | undefined {
  let metadata: unknown;
  try {
    metadata = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof metadata !== 'object' || metadata === null || !('resource' in metadata)) return undefined;
  const { resource } = metadata;
  if (typeof resource !== 'string' || originOf(resource) !== upstreamOrigin) return undefined;
  return JSON.stringify({ ...metadata, resource: ownOrigin + resource.slice(upstreamOrigin.length) });
}

/** Heads whose `WWW-Authenticate` points at upstream's metadata, with ours instead. */
export function renameChallenge(
  raw: RawHeaders,
  upstreamOrigin: string,
  ownOrigin: string,
): string[] | undefined {
  let changed = false;
  const headers: string[] = [];
  for (const [name, value] of pairs(raw)) {
    const renamed =
      name.toLowerCase() === 'www-authenticate'
        ? value.replaceAll(`"${upstreamOrigin}/`, `"${ownOrigin}/`)
        : value;
    changed ||= renamed !== value;
    headers.push(name, renamed);
  }
  return changed ? headers : undefined;
}

function originOf(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}
