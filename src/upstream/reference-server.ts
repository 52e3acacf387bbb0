/** One session's MCP server: the tools and notes that a client's suite can be tested against. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { addAskTool } from './ask-tool.ts';
import { addChangeTools } from './change-tools.ts';
import { addChargeTools } from './charge-tools.ts';
import { addEchoTool } from './echo-tool.ts';
import { addLogLevel } from './log-level.ts';
import { addNotes } from './notes.ts';
import { addStreamingTools } from './streaming-tools.ts';
import type { World } from './world.ts';

export interface ReferenceServer {
  readonly mcp: McpServer;
  /** Ends what the session holds in the world; call it once, when the transport closed. */
  release(): void;
}

export function createReferenceServer(world: World): ReferenceServer {
  const mcp = new McpServer(
    { name: 'mcp-chaos-embedded', version: '1' },
    { capabilities: { logging: {}, tools: { listChanged: true } } },
  );
  const wanted = addLogLevel(mcp);
  addStreamingTools(mcp, wanted);
  addChargeTools(mcp, world, wanted);
  addChangeTools(mcp, world);
  addAskTool(mcp);
  addEchoTool(mcp);
  const release = addNotes(mcp, world);
  return { mcp, release };
}
