/** Upstreams that some rows need in place of the embedded server. */
import { jsonAnswer, lastChunk, mcpScript, sseHead } from '../e2e/harness/scripted-mcp.ts';
import type { Script } from '../e2e/harness/scripted-server.ts';

const endsAtOnceScript = mcpScript({ get: () => [sseHead(), lastChunk] });

/** Its stand-alone stream is nothing but a head. It speaks whatever revision is asked for: old clients know few. */
export const endsAtOnce: Script = (request) => {
  if (request.json?.method !== 'initialize') return endsAtOnceScript(request);
  const serverInfo = { name: 'scripted', version: '1' };
  const { protocolVersion } = request.json.params ?? {};
  return jsonAnswer(
    request,
    { protocolVersion, capabilities: { tools: {} }, serverInfo },
    { 'mcp-session-id': 's' },
  );
};
