/** `@ai-sdk/mcp`, by its alias. It has no timeout of its own: the host's abort signal is all there is. */
import { follow, plan } from './plan.mjs';

const [, , alias] = process.argv;
const { createMCPClient, experimental_createMCPClient } = await import(alias);

let client;
let tools;
await follow({
  async connect(onError) {
    const transport = { type: 'http', url: process.env.MCP_CHAOS_URL };
    client = await (createMCPClient ?? experimental_createMCPClient)({ transport, onUncaughtError: onError });
    tools = await client.tools();
  },
  async call(name, args) {
    const abortSignal = AbortSignal.timeout(plan.timeoutMs);
    const aborted = new Promise((_, reject) => {
      abortSignal.addEventListener('abort', () => reject(abortSignal.reason));
    });
    const call = tools[name].execute(args, { toolCallId: 'field', messages: [], abortSignal });
    const result = await Promise.race([call, aborted]);
    return result.content?.at(-1)?.text;
  },
  close: () => client.close(),
});
