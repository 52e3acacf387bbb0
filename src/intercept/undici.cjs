// @ts-check
/**
 * The undici package, where the project has it: its `fetch` and `request`, and every dispatcher (Agent, Pool,
 * Client) that a request may be given.
 */
const { globalDispatcher } = require('./fetch.cjs');
const { onLoad } = require('./on-load.cjs');

exports.interceptUndici = () => {
  onLoad(/(?:^|[\\/])undici[^\\/]*(?:[\\/]index\.js)?$/, (undici) => {
    interceptDispatchers(undici.Agent);
    // Node's own, where `fetch` was used before the package was loaded: the package uses it too.
    const inForce = /** @type {any} */ (globalThis)[globalDispatcher];
    if (inForce?.constructor?.name === 'Agent') interceptDispatchers(inForce.constructor);
    leaveMocksAlone(undici.MockAgent?.prototype);
  });
};

/** @type {WeakSet<object>} */
const patched = new WeakSet();

/** What Agent, Pool and Client of one undici have in common. @param {any} Agent */
function interceptDispatchers(Agent) {
  const dispatchers = Object.getPrototypeOf(Agent.prototype);
  const { dispatch } = dispatchers;
  if (typeof dispatch !== 'function' || patched.has(dispatchers)) return;
  patched.add(dispatchers);
  const { decidedly, rewritten } = require('./dispatch.cjs');
  /** Serves requests of dispatchers that are bound to one origin. @type {any} */
  let agent;
  /** @param {any} options @param {any} handler @this {any} */
  dispatchers.dispatch = function (options, handler) {
    const elsewhere = rewritten({ ...options, origin: options.origin ?? originOf(this) }, undefined);
    if (elsewhere === undefined) return decidedly(() => dispatch.call(this, options, handler));
    agent ??= new Agent();
    return decidedly(() => dispatch.call(this instanceof Agent ? this : agent, elsewhere, handler));
  };
}

/** What they do not answer themselves goes on through an Agent. @param {any} mocks */
function leaveMocksAlone(mocks) {
  if (typeof mocks?.dispatch !== 'function' || patched.has(mocks)) return;
  patched.add(mocks);
  const { decidedly } = require('./dispatch.cjs');
  const { sayOnce } = require('./tally.cjs');
  const { dispatch } = mocks;
  mocks.dispatch = function (/** @type {any[]} */ ...args) {
    sayOnce('mocked');
    return decidedly(() => Reflect.apply(dispatch, this, args));
  };
}

/** Of a Client or Pool, which keep it under a symbol. @param {any} dispatcher @returns {unknown} */
function originOf(dispatcher) {
  const symbol = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'url');
  return symbol === undefined ? undefined : dispatcher[symbol];
}
