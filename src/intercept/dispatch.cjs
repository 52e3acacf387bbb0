// @ts-check
/** One request in undici's terms (`Dispatcher.dispatch`), rewritten to go to the proxy. */
const { viaProxy } = require('./plan.cjs');
const { settings, viaHeader } = require('./settings.cjs');

/** Dispatchers ask each other (Agent, Pool, Client): only the first is asked about, all in one turn. */
let decided = 0;

/** Carries out `dispatch`, whose request is not looked at again. @param {() => any} dispatch */
exports.decidedly = (dispatch) => {
  decided += 1;
  try {
    return dispatch();
  } finally {
    decided -= 1;
  }
};

/**
 * The options under which it goes through the proxy, or undefined where it goes its own way.
 * @param {any} options As `dispatch` takes them. @param {string | undefined} body Where they hold a stream of it.
 * @returns {any}
 */
exports.rewritten = (options, body) => {
  try {
    return throughProxy(options, body);
  } catch {
    // Whatever we do not understand goes as it is; undici's own error names what is wrong with it.
    return undefined;
  }
};

/** @param {any} options @param {string | undefined} body */
function throughProxy(options, body) {
  if (decided > 0 || options.upgrade || options.method === 'CONNECT') return undefined;
  const url = new URL(String(options.path ?? '/'), String(options.origin));
  const headers = pairsOf(options.headers);
  /** @param {string} name */
  const header = (name) => headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const via = viaProxy({ verb: options.method ?? 'GET', url, header, body: body ?? textOf(options.body) });
  if (via === undefined) return undefined;
  const own = header('host') === undefined ? [/** @type {const} */ (['host', url.host])] : [];
  const all = [...headers, ...own, /** @type {const} */ ([viaHeader, via])];
  return { ...options, origin: settings.proxy, headers: all.flat() };
}

/**
 * Header names and values, whichever of undici's three forms they have.
 * @param {any} headers @returns {(readonly [string, any])[]}
 */
function pairsOf(headers) {
  if (!headers) return [];
  if (Array.isArray(headers) && !Array.isArray(headers[0])) {
    /** @type {[string, any][]} */
    const pairs = [];
    for (let i = 0; i + 1 < headers.length; i += 2) pairs.push([String(headers[i]), headers[i + 1]]);
    return pairs;
  }
  return typeof headers[Symbol.iterator] === 'function' ? [...headers] : Object.entries(headers);
}

/** A body that is at hand; a stream cannot be looked into. @param {unknown} body @returns {string | undefined} */
function textOf(body) {
  if (typeof body === 'string') return body;
  return ArrayBuffer.isView(body)
    ? Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
    : undefined;
}
exports.textOf = textOf;
