// @ts-check
/**
 * The undici package, where the project has it: its `fetch` and `request`, and every dispatcher (Agent, Pool,
 * Client) that a request may be given.
 */
const { decidedly, rewritten } = require('./dispatch.cjs');
const { onLoad } = require('./on-load.cjs');
const { sayOnce } = require('./tally.cjs');

exports.interceptUndici = () => {
  onLoad(/(?:^|[\\/])undici(?:[\\/]index\.js)?$/, (undici) => {
    // What Agent, Pool and Client have in common.
    const dispatchers = Object.getPrototypeOf(undici.Agent.prototype);
    const { dispatch } = dispatchers;
    if (typeof dispatch !== 'function' || patched.has(dispatchers)) return;
    patched.add(dispatchers);
    /** Serves requests of dispatchers that are bound to one origin. @type {any} */
    let agent;
    /** @param {any} options @param {any} handler @this {any} */
    dispatchers.dispatch = function (options, handler) {
      const elsewhere = rewritten({ ...options, origin: options.origin ?? originOf(this) }, undefined);
      if (elsewhere === undefined) return decidedly(() => dispatch.call(this, options, handler));
      agent ??= new undici.Agent();
      const able = this instanceof undici.Agent ? this : agent;
      return decidedly(() => dispatch.call(able, elsewhere, handler));
    };
    const mocks = undici.MockAgent?.prototype;
    if (typeof mocks?.dispatch !== 'function') return;
    const mocked = mocks.dispatch;
    // What it does not answer itself goes on through an Agent.
    mocks.dispatch = function (/** @type {any[]} */ ...args) {
      sayOnce('mocked');
      return decidedly(() => Reflect.apply(mocked, this, args));
    };
  });
};

/** @type {WeakSet<object>} */
const patched = new WeakSet();

/** Of a Client or Pool, which keep it under a symbol. @param {any} dispatcher @returns {unknown} */
function originOf(dispatcher) {
  const symbol = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'url');
  return symbol === undefined ? undefined : dispatcher[symbol];
}
