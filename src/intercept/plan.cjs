// @ts-check
/** Decides about one request: through the proxy, with which headers, or its own way. */
const { createRecogniser, isLoopback } = require('./recognise.cjs');
const { scopeNow, timersAreFake } = require('./running-test.cjs');
const { settings } = require('./settings.cjs');
const { leftAlone, sayOnce } = require('./tally.cjs');

/** @type {ReturnType<typeof createRecogniser>} */
const isMcp = createRecogniser();

/** Our own addresses: what goes there needs no help, and is no traffic of the child's. */
const own = new Set([settings.proxy, originOf(process.env.MCP_CHAOS_CONTROL)]);

/** @param {string | undefined} url */
function originOf(url) {
  return url === undefined || !URL.canParse(url) ? undefined : new URL(url).origin;
}

/**
 * The value of the `mcp-chaos-via` header for a request that goes through the proxy; undefined for one that does not,
 * which is counted here.
 * @param {{ readonly verb: string, readonly url: URL, header(name: string): string | undefined, readonly body?: string | undefined }} request
 * @returns {string | undefined}
 */
exports.viaProxy = ({ verb, url, header, body }) => {
  if (own.has(url.origin)) return undefined;
  if (!isMcp({ verb: verb.toUpperCase(), url: url.origin + url.pathname, header, body })) {
    leftAlone('direct');
    return undefined;
  }
  if (!settings.remote && !isLoopback(url.hostname)) {
    leftAlone('remote');
    return undefined;
  }
  // The proxy trusts what this process was told to trust, where it was told so too.
  if (url.protocol === 'https:' && process.env.NODE_EXTRA_CA_CERTS !== settings.extraCa) {
    sayOnce('own-tls');
    return undefined;
  }
  const via = new URLSearchParams({ token: settings.token, to: url.origin, scope: scopeNow() });
  // A test that stops the clock stops its client's timeouts: the proxy leaves a session alone that begins so.
  if (timersAreFake()) via.set('fake-clock', '1');
  // The child's own word about certificates, which the proxy cannot know otherwise.
  if (process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0') via.set('unverified', '1');
  return String(via);
};
