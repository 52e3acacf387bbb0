/** `@modelcontextprotocol/sdk` (1.x) or `@modelcontextprotocol/client` (2.x), by its alias: `sdk.mjs sdk-1.23.1`. */
import { follow, plan } from './plan.mjs';

const [, , alias] = process.argv;
const second = alias.startsWith('client-');
const { Client } = await import(second ? alias : `${alias}/client/index.js`);
const { StreamableHTTPClientTransport } = await import(second ? alias : `${alias}/client/streamableHttp.js`);

const client = new Client({ name: alias, version: '1' }, { capabilities: {} });
const transport = new StreamableHTTPClientTransport(new URL(process.env.MCP_CHAOS_URL));

await follow({
  async connect(onError) {
    client.onerror = onError;
    await client.connect(transport);
  },
  async call(name, args) {
    const options = { timeout: plan.timeoutMs, onprogress: () => {} };
    const call = { name, arguments: args };
    // Version 2 has no result schema in between; given one it would lose the options.
    const result = await (second
      ? client.callTool(call, options)
      : client.callTool(call, undefined, options));
    return result.content?.at(-1)?.text;
  },
  close: () => client.close(),
});
