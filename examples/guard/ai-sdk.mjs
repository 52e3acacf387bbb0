/**
 * The guard under a framework: the AI SDK's MCP client over the official transport, as its documentation has it.
 * (Its own HTTP transport takes a `fetch` too, but never resumes the stream of a call: the guard can then only
 * fail what breaks, with the cause `never-resumed`.)
 *
 *   mcp-chaos --profile desync --seed 42 --client-timeout 3000 -- node examples/guard/ai-sdk.mjs
 */
import { createMCPClient } from '@ai-sdk/mcp';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { guardFetch } from 'mcp-chaos/guard';
import { contract, patience, runErrands, timeout, url } from './errands.mjs';

const desyncs = [];
const guarded = guardFetch(fetch, { contract, ...patience, onDesync: (desync) => desyncs.push(desync) });

async function connect() {
  const transport = new StreamableHTTPClientTransport(url, { fetch: guarded });
  const client = await createMCPClient({ transport });
  const definitions = await client.listTools({ options: { timeout } });
  const tools = client.toolsFromDefinitions(definitions);
  return {
    async call({ name, arguments: args }) {
      // As a model's step would run it.
      const { content } = await tools[name].execute(args, {
        toolCallId: name,
        messages: [],
        abortSignal: AbortSignal.timeout(timeout),
      });
      return content.map(({ text }) => text).join('\n');
    },
    isReadOnly: (name) =>
      definitions.tools.find((tool) => tool.name === name)?.annotations?.readOnlyHint === true,
    async close() {
      await transport.terminateSession().catch(() => {});
      await client.close();
    },
  };
}

await runErrands(connect, desyncs);
