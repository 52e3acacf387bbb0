/**
 * An MCP server reduced to one tool call: progress events of about 120 bytes, as many as the URL's `events` says, then
 * the answer. As fast as the client reads, or with `everyMs` one at a time, so that each is a chunk of its own for
 * the client. Prints its port.
 */
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id } = JSON.parse(body);
  const query = new URL(request.url, 'http://127.0.0.1').searchParams;
  const events = Number(query.get('events'));
  const everyMs = Number(query.get('everyMs'));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let sent = 1; sent <= events; sent += 1) {
    const event = `id: ${sent}\ndata: {"method":"notifications/progress","params":{"progressToken":1,"progress":${sent}},"jsonrpc":"2.0"}\n\n`;
    if (!response.write(event)) await new Promise((resolve) => response.once('drain', resolve));
    if (everyMs > 0) await sleep(everyMs);
  }
  response.end(`id: ${events + 1}\ndata: {"result":{"content":[]},"jsonrpc":"2.0","id":${id}}\n\n`);
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
