/**
 * What stands around a run: the upstream (embedded unless one was named), the proxy in front of it, and
 * the control address.
 */
import { startControl } from '../control/control.ts';
import { ChaosError } from '../errors.ts';
import type { FactBody } from '../history/fact.ts';
import type { Profile } from '../profiles/schema.ts';
import { startProxy } from '../proxy/proxy.ts';
import type { Decision } from '../schedule/decision.ts';
import { inheritedProxy } from './child-environment.ts';
import { reachUpstream } from './reach-upstream.ts';

export interface ServiceOptions {
  readonly profile: Profile;
  readonly seed: string;
  /** Absent = the embedded server. */
  readonly upstream?: URL;
  readonly listen?: { readonly host?: string; readonly port?: number };
  readonly allowRemote?: boolean;
  /** Bounds of the replay store, for each session. */
  readonly store: { readonly maxEvents: number; readonly maxBytes: number };
  readonly deadlineMs: number;
  /** Decision ids that may act; all others are as if not drawn. */
  readonly only?: readonly string[];
  /** Recorded decisions, applied as written instead of drawing. */
  readonly decisions?: readonly Decision[];
}

export interface Services {
  /** The MCP endpoint for the client. */
  readonly url: string;
  /** Whoever shows it to the proxy may name the server that a request is meant for. */
  readonly token: string;
  /** Requests that were no MCP and were forwarded. */
  forwarded(): number;
  readonly controlUrl: string;
  /** Closes every listener and connection. */
  close(): Promise<void>;
}

/** The logical name of the upstream, as it stands in sites, journal and report: never an address. */
export function upstreamName(options: ServiceOptions): string {
  return options.upstream === undefined ? 'embedded' : 'upstream';
}

/** Starts everything, or closes what was started and rejects with a `ChaosError`. */
export async function startServices(
  options: ServiceOptions,
  record: (body: FactBody) => number,
): Promise<Services> {
  const open: { close(): Promise<void> }[] = [];
  const close = async (): Promise<void> => {
    for (const service of open.reverse()) await service.close();
  };
  try {
    const url = options.upstream ?? (await embedded(open));
    const { upstream: _, listen, ...rest } = options;
    const before = inheritedProxy(process.env);
    const proxy = await startProxy({
      ...rest,
      ...listen,
      upstream: { name: upstreamName(options), url },
      ...(before === undefined ? {} : { inheritedProxy: before }),
      record,
    });
    open.push(proxy);
    // After the proxy, which refuses a remote upstream before anything is sent to it.
    if (options.upstream !== undefined) await reachUpstream(options.upstream);
    const control = await startControl(record);
    open.push(control);
    const { token, forwarded } = proxy;
    return { url: proxy.url, token, forwarded, controlUrl: control.url, close };
  } catch (error) {
    await close();
    if (error instanceof ChaosError) throw error;
    throw new ChaosError('internal', `the services could not be started: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** Loaded only where it is needed: the server SDK takes longer to load than all of ours. */
async function embedded(open: { close(): Promise<void> }[]): Promise<URL> {
  const { startEmbeddedServer } = await import('../upstream/embedded.ts');
  const server = await startEmbeddedServer({ host: '127.0.0.1', port: 0 });
  open.push(server);
  return new URL(server.url);
}
