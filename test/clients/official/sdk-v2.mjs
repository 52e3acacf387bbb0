/**
 * @modelcontextprotocol/client 2.4.0. MODE=legacy (default) speaks 2025-11-25 and behaves as sdk-v1 does;
 * MODE=auto asks for 2026-07-28 first and falls back where the server does not know it.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { drive } from './drive.mjs';

const mode = process.env.MODE ?? 'legacy';

await drive(`sdk-v2-${mode}`, async (url) => {
  const client = new Client({ name: 'sdk-v2', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url));
  return {
    client,
    call: (params, options) => client.callTool(params, options),
    onUpdated: (handler) => client.setNotificationHandler('notifications/resources/updated', handler),
  };
});
