/**
 * Where a request is meant to go, whose it is, and what of its head is for us alone. There are three ways to
 * ask: our own address, which stands for the run's upstream; our own address with the header of the preload,
 * which names the server (or, for the run's upstream, the test alone); and, as a forward proxy is asked, the whole URL in the request line.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../intercept/recognise.cjs';
import { foreignAddress } from './guard-own-address.ts';
import { headerOf, type RawHeaders, scopeHeader, sessionHeader, viaHeader, withHeader } from './headers.ts';
import { defaultScope, routeOf } from './route.ts';
import type { RunContext } from './run-context.ts';
import type { Untouchable } from './untouched.ts';
import type { UpstreamAddress } from './upstream-link.ts';

export interface Address {
  /** `own` = the client knows our address only; `named` = it believes that it talks to the server itself. */
  readonly by: 'own' | 'named' | 'forward';
  readonly upstream: UpstreamAddress;
  readonly scope: string;
  /** Path and query as upstream knows them. */
  readonly path: string;
  /** For upstream: what was meant for us is gone. */
  readonly headers: RawHeaders;
}

export interface Refusal {
  readonly status: 403 | 407;
  readonly why: string;
}

/** Passes untouched. */
export interface Elsewhere {
  readonly elsewhere: URL;
  readonly because: Untouchable;
}

export function addressOf(
  run: RunContext,
  bound: string,
  request: IncomingMessage,
): Address | Refusal | Elsewhere {
  const raw = request.rawHeaders;
  const url = request.url ?? '/';
  const scope = headerOf(raw, scopeHeader);
  const plain = withHeader(withHeader(raw, scopeHeader, null), viaHeader, null);
  const via = headerOf(raw, viaHeader);
  const given = new URLSearchParams(via);
  const to = given.get('to') ?? '';
  if (via !== undefined && (!sameText(given.get('token') ?? '', run.token) || !URL.canParse(to)))
    return { status: 403, why: `the ${viaHeader} header is not of this run` };
  if (via !== undefined && new URL(to).origin !== run.origin()) {
    return named(run, 'named', new URL(to), {
      scope: scope ?? given.get('scope') ?? defaultScope,
      path: url,
      headers: plain,
      verified: given.get('unverified') === null,
      fakeClock: given.get('fake-clock') !== null,
    });
  }
  const target = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (target !== undefined && target.origin !== run.origin()) {
    const user = credentials(headerOf(raw, 'proxy-authorization'));
    if (!sameText(user?.token ?? '', run.token)) {
      return {
        status: 407,
        why: 'as a forward proxy it serves the wrapped command alone, whose http_proxy says how',
      };
    }
    if (!takes(run, target, request)) return { elsewhere: target, because: 'forwarded' };
    return named(run, 'forward', target, {
      scope: scope ?? user?.scope ?? defaultScope,
      path: target.pathname + target.search,
      headers: plain,
      verified: true,
      fakeClock: false,
    });
  }
  const foreign = foreignAddress(request.headers, bound);
  if (foreign !== undefined) return { status: 403, why: foreign };
  const upstream = run.upstream;
  const path = target === undefined ? url : target.pathname + target.search;
  const route = routeOf(path, upstream.url.pathname, scope, given.get('scope') ?? defaultScope);
  const hosted = withHeader(plain, 'Host', upstream.url.host);
  const origin = headerOf(plain, 'origin');
  const headers = origin === run.origin() ? withHeader(hosted, 'Origin', upstream.url.origin) : hosted;
  return { by: 'own', upstream, ...route, headers };
}

/** Of what a client sends to its forward proxy: MCP, to a server that may be tried. */
function takes(run: RunContext, target: URL, { method, rawHeaders }: IncomingMessage): boolean {
  if (!run.allowRemote && !isLoopback(target.hostname)) return false;
  return run.isMcp({
    verb: method ?? 'GET',
    url: target.origin + target.pathname,
    header: (name) => headerOf(rawHeaders, name),
  });
}

function named(
  run: RunContext,
  by: 'named' | 'forward',
  target: URL,
  of: {
    readonly scope: string;
    readonly path: string;
    readonly headers: RawHeaders;
    readonly verified: boolean;
    readonly fakeClock: boolean;
  },
): Address | Refusal | Elsewhere {
  const { verified, fakeClock, ...rest } = of;
  if (!run.allowRemote && !isLoopback(target.hostname)) {
    return { status: 403, why: `${target.host} is not on this machine, and --allow-remote was not given` };
  }
  // A session goes on as it began: under the name that its server had there, or untouched.
  const session = headerOf(rest.headers, sessionHeader);
  const known = session === undefined ? undefined : run.lanes.bySession(target.origin, session);
  if (known !== undefined) run.upstreams.bring(rest.scope, known.upstream);
  else if (fakeClock || (session !== undefined && run.untouched.hasSession(target.origin, session)))
    return { elsewhere: new URL(target.origin + rest.path), because: 'fake-timers' };
  const upstream = known?.upstream ?? run.upstreams.of(rest.scope, target.origin, verified);
  return { by, upstream, ...rest };
}

/** `http_proxy` is `http://<scope>:<token>@…`, which clients send as Basic credentials. */
function credentials(
  header: string | undefined,
): { readonly scope: string; readonly token: string } | undefined {
  const encoded = /^Basic\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [scope, token] = Buffer.from(encoded, 'base64').toString('utf8').split(/:(.*)/s);
  return { scope: scope || defaultScope, token: token ?? '' };
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.byteLength === right.byteLength && timingSafeEqual(left, right);
}
