/** `ask`: a call during which the server asks the client something, on the stream of the call. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CreateMessageResultSchema, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { type CallContext, textResult } from './parts.ts';

export function addAskTool(mcp: McpServer): void {
  mcp.registerTool(
    'ask',
    { description: 'Asks the client by elicitation, else by sampling, if it declared either.' },
    async (context) => textResult(await ask(mcp, context)),
  );
}

async function ask(mcp: McpServer, context: CallContext): Promise<string> {
  const capabilities = mcp.server.getClientCapabilities();
  if (capabilities?.elicitation !== undefined) {
    const answer = await context.sendRequest(
      {
        method: 'elicitation/create',
        params: {
          message: 'Which colour?',
          requestedSchema: {
            type: 'object',
            properties: { colour: { type: 'string' } },
            required: ['colour'],
          },
        },
      },
      ElicitResultSchema,
    );
    return `elicited ${answer.action} ${JSON.stringify(answer.content ?? {})}`;
  }
  if (capabilities?.sampling !== undefined) {
    const answer = await context.sendRequest(
      {
        method: 'sampling/createMessage',
        params: {
          messages: [{ role: 'user', content: { type: 'text', text: 'Which colour?' } }],
          maxTokens: 10,
        },
      },
      CreateMessageResultSchema,
    );
    return `sampled ${answer.model} ${JSON.stringify(answer.content)}`;
  }
  return 'the client declared neither elicitation nor sampling, so nothing was asked';
}
