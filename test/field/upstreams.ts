/** Upstreams that some rows need in place of the embedded server. */
import { jsonAnswer, lastChunk, mcpScript, sseHead } from '../e2e/harness/scripted-mcp.ts';
import type { Script } from '../e2e/harness/scripted-server.ts';

/** Its stand-alone stream is nothing but a head. */
export const endsAtOnce = anyRevision(mcpScript({ get: () => [sseHead(), lastChunk] }));

/** It answers a GET as a web page would: 200, and no stream. */
export const answersJson = anyRevision(mcpScript({ get: (request) => jsonAnswer(request, { ok: true }) }));

/** Speaks whatever revision is asked for: old clients know few. */
function anyRevision(script: Script): Script {
  return (request) => {
    if (request.json?.method !== 'initialize') return script(request);
    const serverInfo = { name: 'scripted', version: '1' };
    const { protocolVersion } = request.json.params ?? {};
    const result = { protocolVersion, capabilities: { tools: {} }, serverInfo };
    return jsonAnswer(request, result, { 'mcp-session-id': 's' });
  };
}
