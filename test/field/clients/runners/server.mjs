/** A server of the suite's own, and one way to ask it; the name tells requests apart in the journal. */
import { createServer } from 'node:http';

export const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export const bodyOf = (name) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: { name } } });

export function start() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
  });
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${server.address().port}/mcp`, stop }),
    );
  });
}

/** `fetching` is the test file's own `fetch`: some runners give each file another. */
export async function ask(server, name, fetching = fetch) {
  const response = await fetching(server.url, { method: 'POST', headers, body: bodyOf(name) });
  return response.text();
}
