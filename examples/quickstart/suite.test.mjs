/**
 * The same as a test suite, for Node's own runner: twelve calls, each a test.
 *
 *   mcp-chaos --profile desync --seed 42 --client-timeout 3000 -- node --test examples/quickstart/suite.test.mjs
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const timeout = Number(process.env.TIMEOUT_MS ?? 3000);
const client = new Client({ name: 'quickstart-suite', version: '1.0.0' });

before(async () => {
  assert.ok(process.env.MCP_CHAOS_URL, 'MCP_CHAOS_URL is set');
  await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MCP_CHAOS_URL)));
});
after(() => client.close());

// Different arguments, so that each test is its own place in the plan that the seed draws.
for (let n = 1; n <= 12; n += 1) {
  test(`counts to ${n}, and no part is lost`, async () => {
    const seen = [];
    const { content } = await client.callTool({ name: 'count', arguments: { n } }, undefined, {
      timeout,
      onprogress: ({ message }) => seen.push(message),
    });
    const parts = content.map(({ text }) => text);
    assert.equal(parts.length, n + 1);
    assert.deepEqual([...seen, `counted to ${n}`], parts);
  });
}
