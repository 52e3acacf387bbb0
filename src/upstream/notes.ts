/**
 * Notes: resources with subscriptions. `McpServer` lists and reads resources but knows no subscribers, so
 * those two handlers are set on the server below it. A subscription dies with its session, as real ones do.
 */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { World } from './world.ts';

/** Returns what to call when the session ends. */
export function addNotes(mcp: McpServer, world: World): () => void {
  const subscribed = new Set<string>();

  mcp.server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
  mcp.registerResource('welcome', 'note://welcome', { mimeType: 'text/plain' }, ({ href }) =>
    read(href, world),
  );
  mcp.registerResource(
    'note',
    new ResourceTemplate('note://{name}', { list: undefined }),
    { mimeType: 'text/plain', description: 'Any name will do; a note is at version 1 until it is touched.' },
    ({ href }) => read(href, world),
  );
  mcp.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    subscribed.add(params.uri);
    return {};
  });
  mcp.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });

  function tell(uri: string): void {
    // A session that ends at this very moment has nobody left to tell.
    if (subscribed.has(uri)) mcp.server.sendResourceUpdated({ uri }).catch(() => {});
  }
  world.watchers.add(tell);
  return () => world.watchers.delete(tell);
}

function read(uri: string, world: World) {
  return {
    contents: [{ uri, mimeType: 'text/plain', text: `${uri}, version ${world.notes.get(uri) ?? 1}` }],
  };
}
