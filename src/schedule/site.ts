/**
 * Sites: the logical address of a call. Never a clock, a socket, a port, a JSON-RPC id or a global
 * counter, so that the same traffic gives the same sites in any interleaving.
 */

export interface CallSite {
  readonly upstream: string;
  readonly scope: string;
  /** Session ordinal inside the scope (`s1`), or the connection identity where there are no sessions. */
  readonly lane: string;
  /** JSON-RPC method; `GET` for the stand-alone stream. */
  readonly method: string;
  readonly tool: string;
  /** Digest of the canonical arguments without `_meta`. */
  readonly digest: string;
  /** 1 for the first call with this lane, method, tool and digest. */
  readonly occurrence: number;
}

/** `upstream/scope/lane/method/tool/digest/occurrence`, each part percent-encoded. */
export function siteKey(site: CallSite): string {
  return [site.upstream, site.scope, site.lane, site.method, site.tool, site.digest, String(site.occurrence)]
    .map(encodeURIComponent)
    .join('/');
}
