/**
 * An MCP server reduced to one tool call: EVENTS progress events of about 120 bytes, then the answer. PER_WRITE of
 * them go into each write, which is a chunk for the client. Prints its port.
 */
import { createServer } from 'node:http';

const events = Number(process.argv[2]);
const perWrite = Number(process.argv[3]);

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') return response.writeHead(405).end();
  const { id } = JSON.parse(body);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const more = () => {
    while (sent < events) {
      let text = '';
      for (let i = 0; i < perWrite && sent < events; i += 1) {
        sent += 1;
        text += `id: ${sent}\ndata: {"method":"notifications/progress","params":{"progressToken":1,"progress":${sent}},"jsonrpc":"2.0"}\n\n`;
      }
      if (!response.write(text)) return response.once('drain', more);
    }
    response.end(`id: ${sent + 1}\ndata: {"result":{"content":[]},"jsonrpc":"2.0","id":${id}}\n\n`);
  };
  more();
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
