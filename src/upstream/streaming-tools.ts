/** `count` and `report`: calls of several parts, whose result holds them all, so that a loss shows. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import type { LogFilter } from './log-level.ts';
import { sendParts, textResult } from './parts.ts';

const delayMs = z.number().int().min(0).max(60_000).default(5).describe('Pause before each part, in ms');

export function addStreamingTools(mcp: McpServer, wanted: LogFilter): void {
  mcp.registerTool(
    'count',
    {
      description: 'Counts to n, one progress part at a time; the result holds every part.',
      inputSchema: { n: z.number().int().min(0).max(100_000).default(5), delayMs },
      annotations: { readOnlyHint: true },
    },
    async ({ n, delayMs }, context) => {
      const parts = Array.from({ length: n }, (_, index) => `part ${index + 1} of ${n}`);
      await sendParts(context, wanted, parts, delayMs);
      return textResult(...parts, `counted to ${n}`);
    },
  );

  mcp.registerTool(
    'report',
    {
      description: 'Writes a report section by section; the result is the whole report.',
      inputSchema: { sections: z.number().int().min(0).max(1000).default(3), delayMs },
      annotations: { readOnlyHint: true },
    },
    async ({ sections, delayMs }, context) => {
      const parts = Array.from({ length: sections }, (_, index) => section(index + 1));
      await sendParts(context, wanted, parts, delayMs);
      return textResult(...parts);
    },
  );
}

// Two, three and four byte characters: a cut may fall inside any of them.
function section(number: number): string {
  return `§ ${number} Befund für Strom №${number}: ☂ ${'Regen '.repeat(number % 7)}🌧`;
}
