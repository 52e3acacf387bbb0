/** What a test file of jest asks: from hooks, from tests, under a fake clock. */
/* global jest */
const { createServer, request } = require('node:http');

const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const bodyOf = (name) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: { name } } });
const server = createServer((incoming, response) => {
  incoming.resume().on('end', () => response.end('{"jsonrpc":"2.0","id":1,"result":{}}'));
});
const url = () => `http://127.0.0.1:${server.address().port}/mcp`;
const ask = (name) => fetch(url(), { method: 'POST', headers, body: bodyOf(name) });

module.exports = (suite) => {
  beforeAll(async () => {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    await ask('a hook');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  describe(suite, () => {
    beforeEach(() => ask('before each'));
    test('by fetch', () => ask('by fetch'));
  });
  test('by http', () =>
    new Promise((resolve, reject) => {
      request(url(), { method: 'POST', headers }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end(bodyOf('by http'));
    }));
  test('with a fake clock', async () => {
    jest.useFakeTimers();
    await ask('with a fake clock').finally(() => jest.useRealTimers());
  });
};
