/**
 * The guard on the official client 2.x: one option.
 *
 *   mcp-chaos --profile desync --seed 42 --client-timeout 3000 -- node examples/guard/sdk-v2.mjs
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { guardFetch } from 'mcp-chaos/guard';
import { contract, patience, runErrands, timeout, url } from './errands.mjs';

const desyncs = [];
const guarded = guardFetch(fetch, { contract, ...patience, onDesync: (desync) => desyncs.push(desync) });

async function connect() {
  const client = new Client({ name: 'guarded-v2', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(url, { fetch: guarded });
  await client.connect(transport, { timeout });
  const { tools } = await client.listTools(undefined, { timeout });
  return {
    async call(tool) {
      const { content } = await client.callTool(tool, { timeout });
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
