/**
 * `logging/setLevel` for messages that belong to a call. The SDK filters by level only what goes to the GET
 * stream; a tool's own log lines travel on the stream of its call and need the level too.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  type LoggingLevel,
  LoggingLevelSchema,
  SetLevelRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** Says whether a message of this level is wanted; everything is until the client sets a level. */
export type LogFilter = (level: LoggingLevel) => boolean;

export function addLogLevel(mcp: McpServer): LogFilter {
  const order = LoggingLevelSchema.options;
  let threshold: LoggingLevel = 'debug';
  mcp.server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    threshold = params.level;
    return {};
  });
  return (level) => order.indexOf(level) >= order.indexOf(threshold);
}
