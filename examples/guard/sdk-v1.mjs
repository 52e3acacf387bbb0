/**
 * The guard on the official SDK 1.x: one option.
 *
 *   mcp-chaos --profile desync --seed 42 --client-timeout 3000 -- node examples/guard/sdk-v1.mjs
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { guardFetch } from 'mcp-chaos/guard';
import { contract, patience, runErrands, timeout, url } from './errands.mjs';

const desyncs = [];
const guarded = guardFetch(fetch, { contract, ...patience, onDesync: (desync) => desyncs.push(desync) });

async function connect() {
  const client = new Client({ name: 'guarded-v1', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(url, { fetch: guarded });
  await client.connect(transport, { timeout });
  const { tools } = await client.listTools(undefined, { timeout });
  return {
    async call(tool) {
      const { content } = await client.callTool(tool, undefined, { timeout });
      return content.map(({ text }) => text).join('\n');
    },
    isReadOnly: (name) => tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint === true,
    async close() {
      await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}

await runErrands(connect, desyncs);
