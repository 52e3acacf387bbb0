/** `echo`: an answer without intermediate messages. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import { textResult } from './parts.ts';

export function addEchoTool(mcp: McpServer): void {
  mcp.registerTool(
    'echo',
    {
      description: 'Answers with the text it was given, at once.',
      inputSchema: { text: z.string() },
      annotations: { readOnlyHint: true },
    },
    async ({ text }) => textResult(text),
  );
}
