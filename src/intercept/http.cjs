// @ts-check
/**
 * `node:http` and `node:https`, and whatever stands on them (axios, got, node-fetch). Both ask an agent for a
 * connection once the head of the request is known, and all agents have that method from `http.Agent`.
 */
const http = require('node:http');

exports.interceptHttp = () => {
  const agents = /** @type {any} */ (http.Agent.prototype);
  const { addRequest } = agents;
  /** @param {any} request @param {any} options @param {any} port @param {any} localAddress @this {any} */
  agents.addRequest = function (request, options, port, localAddress) {
    let way;
    try {
      // Older callers give host and port one by one.
      way = typeof options === 'object' ? wayOf(this, request, options) : undefined;
    } catch {
      // Whatever we do not understand goes as it is.
    }
    if (way === undefined) return addRequest.call(this, request, options, port, localAddress);
    return addRequest.call(way.agent, request, way.options);
  };
};

/**
 * Where else to connect; undefined for the address that was asked for.
 * @param {any} agent @param {any} request @param {any} options
 * @returns {{ readonly agent: any, readonly options: any } | undefined}
 */
function wayOf(agent, request, options) {
  if (!options || options.socketPath) return undefined;
  // Loaded with the first request and not with every process.
  const { viaProxy } = require('./plan.cjs');
  const { settings, viaHeader } = require('./settings.cjs');
  const target = targetOf(agent, request, options, settings.proxy);
  if (target === undefined) return undefined;
  const { url } = target;
  const header = (/** @type {string} */ name) => headerOf(request, options, name);
  const via = viaProxy({ verb: request.method, url, header });
  if (target.unwrapped) {
    changeHead(request, { path: url.pathname + url.search, without: /^proxy-(authorization|connection)$/i });
    if (via === undefined) return { agent, options: at(url, options) };
  }
  if (via === undefined) return undefined;
  if (url.protocol === 'https:' && hasTrustOfItsOwn(agent, options)) return undefined;
  changeHead(request, { add: [viaHeader, via] });
  // The proxy is asked in plain HTTP, whatever it asks in.
  return {
    agent: agent.protocol === 'https:' ? http.globalAgent : agent,
    options: at(new URL(settings.proxy), options),
  };
}

/**
 * Where the request is meant to go. A client that reads `http_proxy` by itself asks us as its proxy: what it
 * means stands in the path.
 * @param {any} agent @param {any} request @param {any} options @param {string} proxy
 * @returns {{ readonly url: URL, readonly unwrapped: boolean } | undefined}
 */
function targetOf(agent, request, options, proxy) {
  const host = String(options.host ?? 'localhost');
  const authority = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  const origin = `${agent.protocol ?? 'http:'}//${authority}:${options.port}`;
  const path = String(request.path);
  if (!/^http:\/\//i.test(path)) {
    const url = origin + (path.startsWith('/') ? path : `/${path}`);
    return URL.canParse(url) ? { url: new URL(url), unwrapped: false } : undefined;
  }
  if (!URL.canParse(path) || new URL(origin).origin !== proxy) return undefined;
  const { isLoopback } = require('./recognise.cjs');
  const url = new URL(path);
  return isLoopback(url.hostname) ? { url, unwrapped: true } : undefined;
}

/** @param {URL} url @param {any} options */
function at({ hostname, port }, options) {
  const { servername: _, ...rest } = options;
  return { ...rest, host: hostname.replace(/^\[|\]$/g, ''), hostname: undefined, port: port || 80 };
}

/** @param {any} request @param {any} options @param {string} name @returns {string | undefined} */
function headerOf(request, options, name) {
  const value = request.getHeader(name);
  if (value !== undefined) return String(value);
  if (!Array.isArray(options.headers)) return undefined;
  const flat = options.headers.flat();
  const index = flat.findIndex(
    (/** @type {any} */ entry, /** @type {number} */ at) =>
      at % 2 === 0 && String(entry).toLowerCase() === name,
  );
  return index === -1 ? undefined : String(flat[index + 1]);
}

/**
 * Changes what will be sent. Headers that were given as a list are a text already.
 * @param {any} request
 * @param {{ readonly path?: string, readonly add?: readonly [string, string], readonly without?: RegExp }} change
 */
function changeHead(request, { path, add, without }) {
  if (path !== undefined) request.path = path;
  if (typeof request._header !== 'string') {
    for (const name of without === undefined ? [] : request.getHeaderNames())
      if (without?.test(name)) request.removeHeader(name);
    if (add !== undefined) request.setHeader(...add);
    return;
  }
  const [first, ...lines] = request._header.split('\r\n');
  const kept = lines.filter((/** @type {string} */ line) => !without?.test(line.split(':', 1)[0] ?? ''));
  const start = path === undefined ? first : first.replace(/ \S+ /, ` ${path} `);
  request._header = [start, ...(add === undefined ? [] : [add.join(': ')]), ...kept].join('\r\n');
}

/**
 * Certificates that only this request knows of: the proxy could not check the server as the client would.
 * @param {any} agent @param {any} options
 */
function hasTrustOfItsOwn(agent, options) {
  const names = ['ca', 'cert', 'key', 'pfx', 'rejectUnauthorized', 'checkServerIdentity', 'secureContext'];
  const found = names.some((name) => (options[name] ?? agent.options?.[name]) !== undefined);
  if (found) require('./tally.cjs').sayOnce('own-tls');
  return found;
}
