// @ts-check
/**
 * What was not sent through the proxy, one line each in a file that the run reads at its end. Written at
 * once and synchronously: a test runner may kill its workers without warning.
 */
const { appendFileSync, constants } = require('node:fs');
const { settings } = require('./settings.cjs');

/** @type {Set<string>} */
const said = new Set();

/**
 * `direct` = not MCP. `remote` = MCP to another machine.
 * @typedef {'direct' | 'remote'} Reason
 */

/** @param {Reason} reason */
exports.leftAlone = (reason) => append(`${reason}\n`);

/** Something about the process that is said once. @param {string} what */
exports.sayOnce = (what) => {
  if (said.has(what)) return;
  said.add(what);
  append(`${what}\n`);
};

/** @param {string} line */
function append(line) {
  if (settings.tally === undefined) return;
  try {
    // Not created anew: a process may outlive the run.
    appendFileSync(settings.tally, line, {
      flag: /** @type {any} */ (constants.O_APPEND | constants.O_WRONLY),
    });
  } catch {
    // The run has ended before this process did.
  }
}
