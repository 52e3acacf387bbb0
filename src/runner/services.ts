/**
 * What stands around a run: the upstream (embedded unless one was named), the proxy in front of it, and
 * the control address.
 */

import { startControl } from '../control/control.ts';
import { ChaosError } from '../errors.ts';
import type { FactBody } from '../history/fact.ts';
import type { Profile } from '../profiles/schema.ts';
import type { Injected, Injection } from '../proxy/by-hand.ts';
import { startProxy } from '../proxy/proxy.ts';
import type { UpstreamAddress } from '../proxy/upstream-link.ts';
import type { Decision } from '../schedule/decision.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../upstream/embedded.ts';
import { inheritedProxy } from './child-environment.ts';
import { startManagedUpstream } from './managed-upstream.ts';
import { reachUpstream } from './reach-upstream.ts';

export interface ServiceOptions {
  readonly profile: Profile;
  readonly seed: string;
  /** Absent = the embedded server, or what `upstreamCommand` starts. */
  readonly upstream?: URL;
  /** Starts the upstream, at `upstream` or on a free port with this path. */
  readonly upstreamCommand?: { readonly line: string; readonly path: string; readonly logPath: string };
  readonly listen?: { readonly host?: string; readonly port?: number };
  readonly allowRemote?: boolean;
  /** Bounds of the replay store, for each session. */
  readonly store: { readonly maxEvents: number; readonly maxBytes: number };
  readonly deadlineMs: number;
  /** Decision ids that may act; all others are as if not drawn. */
  readonly only?: readonly string[];
  /** Recorded decisions, applied as written instead of drawing. */
  readonly decisions?: readonly Decision[];
  /** A person may arm faults too, from the live page. */
  readonly byHand?: boolean;
}

export interface Services {
  /** The MCP endpoint for the client. */
  readonly url: string;
  /** Whoever shows it to the proxy may name the server that a request is meant for. */
  readonly token: string;
  /** Requests that passed the proxy untouched, by the reason. */
  readonly untouched: ReadonlyMap<string, number>;
  readonly controlUrl: string;
  /** Arms a fault by hand; refused without `byHand`. */
  inject(injection: Injection): Injected;
  /** Loads what the first request will need; for when the command has been started, so that both start at once. */
  warm(): void;
  /** Closes every listener and connection. */
  close(): Promise<void>;
}

/** The logical name of the upstream, as it stands in sites, journal and report: never an address. */
export function upstreamName(options: ServiceOptions): string {
  return options.upstream === undefined && options.upstreamCommand === undefined ? 'embedded' : 'upstream';
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
    let warm = (): void => {};
    const upstream = await findUpstream(options, record, open, (embeddedServer) => {
      warm = embeddedServer.warm;
    });
    const { upstream: _, upstreamCommand: __, listen, ...rest } = options;
    const before = inheritedProxy(process.env);
    const proxy = await startProxy({
      ...rest,
      ...listen,
      upstream,
      ...(before === undefined ? {} : { inheritedProxy: before }),
      record,
    });
    open.push(proxy);
    // After the proxy, which refuses a remote upstream before anything is sent to it.
    if (options.upstream !== undefined && upstream.process === undefined)
      await reachUpstream(options.upstream);
    const control = await startControl(record);
    open.push(control);
    const { token, untouched, inject } = proxy;
    return { url: proxy.url, token, untouched, controlUrl: control.url, inject, warm, close };
  } catch (error) {
    await close();
    if (error instanceof ChaosError) throw error;
    throw new ChaosError('internal', `the services could not be started: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function findUpstream(
  options: ServiceOptions,
  record: (body: FactBody) => number,
  open: { close(): Promise<void> }[],
  onEmbedded: (server: EmbeddedServer) => void,
): Promise<UpstreamAddress> {
  const name = upstreamName(options);
  const { upstream: url, upstreamCommand } = options;
  if (upstreamCommand === undefined) return { name, url: url ?? (await embedded(open, onEmbedded)) };
  const { line: command, ...rest } = upstreamCommand;
  const managed = await startManagedUpstream({
    name,
    command,
    ...(url === undefined ? {} : { url }),
    ...rest,
    record,
  });
  open.push(managed);
  return { name, url: managed.url, process: managed };
}

async function embedded(
  open: { close(): Promise<void> }[],
  onEmbedded: (server: EmbeddedServer) => void,
): Promise<URL> {
  const server = await startEmbeddedServer({ host: '127.0.0.1', port: 0 });
  open.push(server);
  onEmbedded(server);
  return new URL(server.url);
}
