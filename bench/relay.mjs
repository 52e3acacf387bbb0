// The peers: relays as their own READMEs write them. usage: relay.mjs <http-proxy|httpxy> <upstream port>
import http from 'node:http';

const [, , name, port] = process.argv;
const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const options = { target: `http://127.0.0.1:${port}`, agent };

const proxy =
  name === 'http-proxy'
    ? (await import('http-proxy')).default.createProxyServer(options)
    : (await import('httpxy')).createProxyServer(options);

const refuse = (response) => {
  if ('writeHead' in response && !response.headersSent) response.writeHead(502);
  response.end();
};
proxy.on('error', (_error, _request, response) => refuse(response));

const server = http.createServer((request, response) => {
  Promise.resolve(proxy.web(request, response)).catch(() => refuse(response));
});
server.requestTimeout = 0;
server.headersTimeout = 0;
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));
process.stdin.resume().once('end', () => process.exit(0));
