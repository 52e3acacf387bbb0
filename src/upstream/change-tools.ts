/** `touch` and `grow`: changes that the server tells on the GET stream, not on the stream of the call. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { textResult } from './parts.ts';
import type { World } from './world.ts';

export function addChangeTools(mcp: McpServer, world: World): void {
  mcp.registerTool(
    'touch',
    {
      description: 'Changes a note; subscribers of its URI get notifications/resources/updated.',
      inputSchema: { uri: z.string().default('note://welcome') },
    },
    async ({ uri }) => {
      const version = (world.notes.get(uri) ?? 1) + 1;
      world.notes.set(uri, version);
      for (const watcher of world.watchers) watcher(uri);
      return textResult(`${uri} is at version ${version}`);
    },
  );

  let grown = 0;
  mcp.registerTool(
    'grow',
    { description: 'Adds a tool to this session, which sends notifications/tools/list_changed.' },
    async () => {
      grown += 1;
      const name = `grown-${grown}`;
      // registerTool itself sends list_changed once the session is connected.
      mcp.registerTool(name, { description: 'A tool that was not there before.' }, async () =>
        textResult(name),
      );
      return textResult(`added ${name}`);
    },
  );
}
