// @ts-check
/**
 * Loaded into every Node process of a wrapped command (`NODE_OPTIONS=--require`): sends Streamable HTTP
 * requests, and nothing else, through the proxy, each with the address that it was meant for.
 *
 * A guest in somebody else's process: it throws nothing, prints nothing, and has no dependencies.
 */
if (process.env.MCP_CHAOS_INTERCEPT) {
  const { watchRunners } = require('./running-test.cjs');
  const { interceptFetch } = require('./fetch.cjs');
  const { interceptHttp } = require('./http.cjs');
  const { interceptUndici } = require('./undici.cjs');
  watchRunners();
  interceptFetch();
  interceptHttp();
  interceptUndici();
}
