// @ts-check
/** What the run tells the preload, in one environment variable. */

/**
 * @typedef {object} Settings
 * @property {string} proxy Origin of the proxy.
 * @property {string} token Shows the proxy that a request with an address of its own comes from the wrapped command.
 * @property {boolean} remote Servers on other machines too.
 * @property {string | undefined} tally File for what was left alone.
 * @property {string | undefined} extraCa `NODE_EXTRA_CA_CERTS` of the run.
 */

/** @type {Settings} */
exports.settings = JSON.parse(process.env.MCP_CHAOS_INTERCEPT ?? '{"proxy":"http://127.0.0.1:0","token":""}');

/** Names the address and the scope to the proxy, which strips it. */
exports.viaHeader = 'mcp-chaos-via';
