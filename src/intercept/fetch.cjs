// @ts-check
/**
 * Node's own `fetch`. The request keeps the URL that it asked for, so `Response.url`, redirects and whatever
 * the client derives from them are as without us; only the dispatcher below it sends it elsewhere.
 */

/** Under this name Node and the undici package share the dispatcher that `fetch` uses by default. */
const globalDispatcher = Symbol.for('undici.globalDispatcher.1');
exports.globalDispatcher = globalDispatcher;

exports.interceptFetch = () => {
  const { fetch } = globalThis;
  if (typeof fetch !== 'function') return;
  /** @param {any} input @param {any} init */
  const intercepted = (input, init) => {
    // A dispatcher of the test's own is the undici package's, and intercepted there.
    if (init?.dispatcher || !isPlain(init)) return fetch(input, init);
    const dispatcher = /** @type {any} */ (throughProxy(init?.body));
    return fetch(input, { ...init, dispatcher });
  };
  Object.defineProperty(intercepted, 'name', { value: fetch.name, configurable: true });
  Object.defineProperty(intercepted, 'length', { value: fetch.length, configurable: true });
  globalThis.fetch = /** @type {typeof fetch} */ (intercepted);
  process.on('exit', () => {
    if (globalThis.fetch !== intercepted) require('./tally.cjs').sayOnce('fetch-replaced');
  });
};

/** What `{ ...init }` copies whole. In jest it may come from another realm. @param {unknown} init */
function isPlain(init) {
  if (init === undefined || init === null) return true;
  const prototype = Object.getPrototypeOf(init);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * In front of the dispatcher that is in force when the request goes out; asked again for each redirect.
 * @param {unknown} body As it was given to `fetch`; `dispatch` sees a stream of it.
 */
function throughProxy(body) {
  // Loaded with the first request and not with every process.
  const { decidedly, rewritten, textOf } = require('./dispatch.cjs');
  const { sayOnce } = require('./tally.cjs');
  const inForce = () => /** @type {any} */ (globalThis)[globalDispatcher];
  return {
    get isMockActive() {
      return inForce().isMockActive;
    },
    /** @param {any} options @param {any} handler */
    dispatch(options, handler) {
      const dispatcher = inForce();
      if (dispatcher.isMockActive) {
        sayOnce('mocked');
        return dispatcher.dispatch(options, handler);
      }
      const chosen = rewritten(options, textOf(body)) ?? options;
      return decidedly(() => dispatcher.dispatch(chosen, handler));
    },
  };
}
