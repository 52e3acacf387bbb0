/** @modelcontextprotocol/sdk 1.32.2: resumes after a broken stream, trusts whatever the resume brings. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { drive } from './drive.mjs';

await drive('sdk-v1', async (url) => {
  const client = new Client({ name: 'sdk-v1', version: '1' });
  const transport = new StreamableHTTPClientTransport(url);
  await client.connect(transport);
  return {
    client,
    revision: () => transport.protocolVersion,
    call: (params, options) => client.callTool(params, undefined, options),
    onUpdated: (handler) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, handler),
  };
});
