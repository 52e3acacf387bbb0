// @ts-check
/** `node:http` and `node:https`, and whatever stands on them (axios, got, node-fetch). */
const http = require('node:http');
const https = require('node:https');
const { syncBuiltinESMExports } = require('node:module');
const { urlToHttpOptions } = require('node:url');
const { isLoopback } = require('./recognise.cjs');
const { viaProxy } = require('./plan.cjs');
const { settings, viaHeader } = require('./settings.cjs');
const { sayOnce } = require('./tally.cjs');

exports.interceptHttp = () => {
  const { request } = http;
  for (const module of [http, https]) {
    const original = module.request;
    /** @param {any[]} args */
    const send = (args) => {
      const redirected = redirect(module, args);
      return redirected === undefined
        ? Reflect.apply(original, module, args)
        : Reflect.apply(request, http, redirected);
    };
    const intercepted = {
      /** @param {any[]} args */
      request: (...args) => send(args),
      /** @param {any[]} args */
      get: (...args) => {
        const sent = send(args);
        sent.end();
        return sent;
      },
    };
    for (const name of /** @type {const} */ (['request', 'get'])) {
      const { length } = module[name];
      Object.defineProperty(intercepted[name], 'length', { value: length, configurable: true });
      module[name] = /** @type {any} */ (intercepted[name]);
    }
  }
  // For `import { request } from 'node:http'`.
  syncBuiltinESMExports();
};

/**
 * The arguments of `http.request` under which it goes through the proxy; undefined where it goes as it is.
 * @param {typeof http | typeof https} module @param {any[]} args @returns {any[] | undefined}
 */
function redirect(module, args) {
  const options = optionsOf(args);
  if (options === undefined || options.socketPath || options.createConnection) return undefined;
  const target = targetOf(module, options);
  if (target === undefined) return undefined;
  const headers = pairsOf(options.headers);
  /** @param {string} name */
  const header = (name) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const callback = args.find((arg) => typeof arg === 'function');
  const via = viaProxy({ verb: options.method ?? 'GET', url: target.url, header, body: undefined });
  if (via === undefined)
    return target.unwrapped ? [direct(options, target.url, headers), callback] : undefined;
  if (target.url.protocol === 'https:' && hasTrustOfItsOwn(options)) {
    sayOnce('own-tls');
    return undefined;
  }
  const {
    protocol: _,
    host: __,
    hostname: ___,
    port: ____,
    defaultPort: _____,
    servername: ______,
    ...rest
  } = options;
  const { hostname, port } = new URL(settings.proxy);
  const added = header('host') === undefined ? [['Host', target.url.host]] : [];
  return [
    {
      ...rest,
      ...agentFor(options),
      host: hostname,
      port,
      path: target.url.pathname + target.url.search,
      headers: likeThose(options.headers, [...withoutProxyHeaders(headers), ...added, [viaHeader, via]]),
    },
    callback,
  ];
}

/** The three forms of arguments in one, as Node reads them. @param {any[]} args @returns {any} */
function optionsOf([first, second]) {
  const given = typeof second === 'object' && second !== null ? second : {};
  if (typeof first === 'string')
    return URL.canParse(first) ? { ...urlToHttpOptions(new URL(first)), ...given } : undefined;
  if (first instanceof URL) return { ...urlToHttpOptions(first), ...given };
  return typeof first === 'object' && first !== null ? first : undefined;
}

/**
 * Where the request is meant to go. A client that reads `http_proxy` by itself asks us as its proxy: what it
 * means stands in the path.
 * @param {typeof http | typeof https} module @param {any} options
 * @returns {{ readonly url: URL, readonly unwrapped: boolean } | undefined}
 */
function targetOf(module, options) {
  const protocol = options.protocol ?? options.agent?.protocol ?? (module === https ? 'https:' : 'http:');
  const host = String(options.hostname ?? options.host ?? 'localhost');
  const authority = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const base = `${protocol}//${authority}${options.port ? `:${options.port}` : options.defaultPort ? `:${options.defaultPort}` : ''}`;
  const path = String(options.path ?? '/');
  if (!URL.canParse(path, base)) return undefined;
  if (!/^http:\/\//i.test(path))
    return { url: new URL(base + (path.startsWith('/') ? path : `/${path}`)), unwrapped: false };
  const url = new URL(path);
  return new URL(base).origin === settings.proxy && isLoopback(url.hostname)
    ? { url, unwrapped: true }
    : undefined;
}

/** As the client would have sent it without `http_proxy`. @param {any} options @param {URL} url @param {(readonly [string, any])[]} headers */
function direct(options, url, headers) {
  const { host: _, ...rest } = options;
  const { hostname, port } = urlToHttpOptions(url);
  return {
    ...rest,
    hostname,
    port,
    path: url.pathname + url.search,
    headers: likeThose(options.headers, withoutProxyHeaders(headers)),
  };
}

/** @param {(readonly [string, any])[]} headers */
function withoutProxyHeaders(headers) {
  return headers.filter(([name]) => !/^proxy-(authorization|connection)$/i.test(name));
}

/** An agent for plain HTTP serves us too; one for TLS does not. @param {any} options */
function agentFor({ agent }) {
  return agent instanceof http.Agent && !(agent instanceof https.Agent)
    ? { agent }
    : { agent: agent === false ? false : undefined };
}

/** Certificates that only this request knows of: the proxy could not check the server as the client would. @param {any} options */
function hasTrustOfItsOwn(options) {
  const agent = options.agent?.options ?? {};
  return ['ca', 'cert', 'key', 'pfx', 'rejectUnauthorized', 'checkServerIdentity', 'secureContext'].some(
    (name) => options[name] !== undefined || agent[name] !== undefined,
  );
}

/**
 * A list stays a list and anything else becomes an object: after a list, Node sends the head at once and
 * takes no `setHeader`.
 * @param {any} given @param {(readonly any[])[]} pairs
 */
function likeThose(given, pairs) {
  return Array.isArray(given) ? pairs.flat() : Object.fromEntries(pairs);
}

/** @param {any} headers As Node takes them: an object, a flat list, or a list of pairs. @returns {(readonly [string, any])[]} */
function pairsOf(headers) {
  if (!headers) return [];
  if (!Array.isArray(headers)) return Object.entries(headers).filter(([, value]) => value !== undefined);
  if (Array.isArray(headers[0])) return headers;
  /** @type {[string, any][]} */
  const pairs = [];
  for (let i = 0; i + 1 < headers.length; i += 2) pairs.push([headers[i], headers[i + 1]]);
  return pairs;
}
