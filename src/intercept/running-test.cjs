// @ts-check
/**
 * Who is asking: the test that runs, by its file and full name, or what is known of it. It is the scope of
 * the traffic, so it must be the same on every machine and not depend on what else runs.
 */
const { relative: relativePath } = require('node:path');
const vm = require('node:vm');
const { onLoad } = require('./on-load.cjs');

/** Scopes are no longer than that; what tells long names apart may stand at either end. */
const maxScope = 200;

/** The global of the test file in a runner that gives each one a realm of its own (jest, vitest's vm pools). @type {any} */
let realm;
/** What mocha runs: a test, or a suite whose hooks run. @type {{ readonly file?: string, titlePath?(): readonly string[] } | undefined} */
let mochaRuns;
/** @type {WeakSet<object>} */
const watched = new WeakSet();

exports.watchRunners = () => {
  const { createContext } = vm;
  vm.createContext = /** @type {typeof createContext} */ (
    (/** @type {any[]} */ ...args) => {
      const context = Reflect.apply(createContext, vm, args);
      realm = context;
      return context;
    }
  );
  onLoad(/(?:^|[\\/])mocha(?:\.js)?$/, (mocha) => {
    const runner = mocha?.Runner?.prototype;
    if (typeof runner?.runTest !== 'function' || watched.has(runner)) return;
    watched.add(runner);
    const { runTest, hook } = runner;
    runner.hook = function (/** @type {any[]} */ ...args) {
      // Hooks around a whole suite are no test's; those around each test are.
      mochaRuns = /All$/.test(args[0]) ? { file: this.suite.file } : this.test;
      return Reflect.apply(hook, this, args);
    };
    runner.runTest = function (/** @type {any[]} */ ...args) {
      mochaRuns = this.test;
      return Reflect.apply(runTest, this, args);
    };
  });
};

/** The test, or its file where no test runs; undefined outside of the runners that say so. @returns {string | undefined} */
exports.testNow = () => {
  try {
    const scope = vitestScope() ?? jestScope() ?? mochaScope();
    return scope === undefined ? undefined : clip(scope);
  } catch {
    return undefined;
  }
};

/** @returns {string} */
exports.scopeNow = () => exports.testNow() ?? clip(processScope());

/** sinon's fake timers, which vitest and jest use, leave their clock on what they replace. @returns {boolean} */
exports.timersAreFake = () => [globalThis, realm].some((global) => global?.setTimeout?.clock !== undefined);

function vitestScope() {
  const worker = /** @type {any} */ (globalThis).__vitest_worker__ ?? realm?.__vitest_worker__;
  const task = worker?.current;
  const file = task?.file ?? task;
  const path = file?.name ?? (worker?.filepath && relative(worker.filepath, worker.config?.root));
  if (typeof path !== 'string') return undefined;
  const name = file?.projectName ? `${file.projectName} > ${path}` : path;
  // Of tests that run at the same time vitest does not tell which one is asking.
  if (task?.type !== 'test' || isConcurrent(task)) return name;
  return `${name} > ${task.fullTestName ?? fullName(task)}`;
}

/** @param {any} task @returns {boolean} */
function isConcurrent(task) {
  return task !== undefined && (task.concurrent === true || isConcurrent(task.suite));
}

/** @param {any} task @returns {string} */
function fullName(task) {
  return task.suite?.name ? `${fullName(task.suite)} > ${task.name}` : task.name;
}

function jestScope() {
  const state = realm?.[Symbol.for('$$jest-matchers-object')]?.state;
  if (typeof state?.testPath !== 'string') return undefined;
  const file = relative(state.testPath);
  return state.currentTestName ? `${file} > ${state.currentTestName}` : file;
}

function mochaScope() {
  if (mochaRuns?.file === undefined) return undefined;
  return [relative(mochaRuns.file), ...(mochaRuns.titlePath?.() ?? [])].join(' > ');
}

/** The script of the process, where it is one of the project's own; node:test runs each file as one. */
function processScope() {
  const script = process.argv[1];
  // A worker may have none.
  if (script === undefined || script.startsWith('[')) return 'main';
  const file = relative(script);
  return file.startsWith('..') || file.includes('node_modules/') ? 'main' : file;
}

/** @param {string} file @param {string} [from] */
function relative(file, from = process.cwd()) {
  return relativePath(from, file).replaceAll('\\', '/');
}

/** @param {string} scope */
function clip(scope) {
  return scope.length <= maxScope ? scope : `${scope.slice(0, 99)}…${scope.slice(-100)}`;
}
