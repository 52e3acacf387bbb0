// @ts-check
/** Decides about one request: through the proxy, with which headers, or its own way. */
const { createRecogniser, isLoopback } = require('./recognise.cjs');
const { scopeNow, testNow, timersAreFake } = require('./running-test.cjs');
const { settings } = require('./settings.cjs');
const { leftAlone, sayOnce } = require('./tally.cjs');

/** @type {ReturnType<typeof createRecogniser>} */
const isMcp = createRecogniser();

const control = originOf(process.env.MCP_CHAOS_CONTROL);

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
  if (url.origin === control) return undefined;
  if (url.origin === settings.proxy) return ofTest(header('mcp-chaos-scope'));
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

/**
 * `MCP_CHAOS_URL` itself: what its traffic may lack is the test that it belongs to. A scope in the path goes before.
 * @param {string | undefined} named @returns {string | undefined}
 */
function ofTest(named) {
  const scope = named === undefined ? testNow() : undefined;
  if (scope === undefined) return undefined;
  return String(new URLSearchParams({ token: settings.token, to: settings.proxy, scope }));
}
