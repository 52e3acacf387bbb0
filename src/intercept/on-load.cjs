// @ts-check
/** Looks at packages as the project loads them. An `import` of a CommonJS package comes this way too. */
const Module = require('node:module');

/** @type {{ readonly name: RegExp, readonly patch: (exports: any) => void }[]} */
const watched = [];

/**
 * Calls `patch` with the exports of every module that is asked for by a matching name, each time.
 * @param {RegExp} name @param {(exports: any) => void} patch
 */
exports.onLoad = (name, patch) => {
  if (watched.push({ name, patch }) > 1) return;
  const internals = /** @type {any} */ (Module);
  const load = internals._load;
  internals._load = function (/** @type {any[]} */ ...args) {
    const loaded = Reflect.apply(load, this, args);
    const [asked] = args;
    for (const one of typeof asked === 'string' ? watched : []) {
      if (!one.name.test(asked)) continue;
      try {
        one.patch(loaded);
      } catch {
        // Some other module of that name.
      }
    }
    return loaded;
  };
};
