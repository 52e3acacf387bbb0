/** One tool call of the official client, with the `fetch` it is given: how many messages came, its answer included. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/**
 * @param {string} url its `events` says how many messages must come before the answer
 * @param {(input: string | URL, init?: RequestInit) => Promise<Response>} fetch
 * @returns {Promise<number>}
 */
export async function readStream(url, fetch) {
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch });
  await transport.start();
  let received = 0;
  await new Promise((resolve, reject) => {
    transport.onerror = reject;
    transport.onmessage = (message) => {
      received += 1;
      if ('result' in message) resolve(undefined);
    };
    transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }).catch(reject);
  });
  await transport.close();
  const sent = Number(new URL(url).searchParams.get('events')) + 1;
  if (received !== sent) throw new Error(`${received} of ${sent} messages arrived`);
  return received;
}
