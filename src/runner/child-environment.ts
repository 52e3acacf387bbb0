/**
 * What the wrapped command is told, and how its traffic is brought to the proxy without its knowing: a
 * preload for Node, `http_proxy` for everybody else.
 */
import { fileURLToPath } from 'node:url';

type Environment = Readonly<Record<string, string | undefined>>;

const preload = fileURLToPath(new URL('../intercept/preload.cjs', import.meta.url));

export interface Interception {
  /** Origin of the proxy. */
  readonly proxy: string;
  readonly token: string;
  readonly allowRemote: boolean;
  /** File for what was left alone. */
  readonly tally: string;
}

/** Variables to set on top of `inherited`; the scope of whoever says nothing else is `main`. */
export function interceptingEnvironment(
  { proxy, token, allowRemote, tally }: Interception,
  inherited: Environment,
): Record<string, string> {
  const forward = proxy.replace('//', `//main:${token}@`);
  const exempt = withoutLoopback(inherited.no_proxy ?? inherited.NO_PROXY ?? '');
  return {
    MCP_CHAOS_INTERCEPT: JSON.stringify({
      proxy,
      token,
      remote: allowRemote,
      tally,
      extraCa: inherited.NODE_EXTRA_CA_CERTS,
    }),
    NODE_OPTIONS: nodeOptions(inherited.NODE_OPTIONS, preload),
    // Clients differ in which spelling they read.
    http_proxy: forward,
    HTTP_PROXY: forward,
    no_proxy: exempt,
    NO_PROXY: exempt,
  };
}

/** The forward proxy that the command would have used by itself. */
export function inheritedProxy(inherited: Environment): URL | undefined {
  const exempt = inherited.no_proxy ?? inherited.NO_PROXY ?? '';
  const url = inherited.http_proxy ?? inherited.HTTP_PROXY;
  return url !== undefined && exempt.trim() !== '*' && URL.canParse(url) ? new URL(url) : undefined;
}

/** Loopback is where the servers of a suite are, and most environments exempt it. */
function withoutLoopback(exempt: string): string {
  return exempt
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '' && entry !== '*' && !/^\.?(localhost|127\.|\[?::1)/i.test(entry))
    .join(',');
}

/**
 * What was there, and the preload. `--require` and not `--import`, which costs 10 ms and sends every entry point through
 * the ESM loader. Inside double quotes a backslash escapes.
 */
export function nodeOptions(inherited: string | undefined, path: string): string {
  const quoted = /[\s"\\]/.test(path) ? `"${path.replaceAll(/["\\]/g, '\\$&')}"` : path;
  return [inherited, `--require ${quoted}`].filter(Boolean).join(' ');
}
