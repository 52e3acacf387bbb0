/** `charge` and `charges`: a side effect that is counted and guarded by nothing, as many real tools have. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import * as z from 'zod';
import type { LogFilter } from './log-level.ts';
import { sendParts, textResult } from './parts.ts';
import type { World } from './world.ts';

const reference = z.string().optional().describe('Tells charges of different callers apart');

export function addChargeTools(mcp: McpServer, world: World, wanted: LogFilter): void {
  mcp.registerTool(
    'charge',
    {
      description: 'Charges an amount. Every call charges again: there is no idempotency key.',
      inputSchema: { amount: z.number().default(1), reference },
      annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true },
    },
    async ({ amount, reference }, context) => {
      // The effect comes first: a call that is cut off or cancelled afterwards has still charged.
      world.charges.push({ amount, reference });
      await sendParts(context, wanted, ['charged', 'receipt written'], 5);
      return textResult(`charged ${amount}`);
    },
  );

  mcp.registerTool(
    'charges',
    {
      description:
        'How often charge ran, over all sessions; only those with the reference where one is given.',
      inputSchema: { reference },
      annotations: { readOnlyHint: true },
    },
    async ({ reference }) =>
      textResult(
        String(
          world.charges.filter((each) => reference === undefined || each.reference === reference).length,
        ),
      ),
  );
}
