/** `@mastra/mcp`, by its alias. */
import { follow, plan } from './plan.mjs';

const [, , alias] = process.argv;
const { MCPClient } = await import(alias);
const client = new MCPClient({
  servers: { server: { url: new URL(process.env.MCP_CHAOS_URL) } },
  timeout: plan.timeoutMs,
});

let tools;
await follow({
  async connect() {
    tools = await client.getTools();
  },
  async call(name, args) {
    const result = await tools[`server_${name}`].execute({ context: args }, {});
    if (result?.isError || result?.code) throw new Error(JSON.stringify(result).slice(0, 200));
    return result.content?.at(-1)?.text;
  },
  close: () => client.disconnect(),
});
