/**
 * An upstream of 2026-07-28: no session, no GET, no event ids; every call an event stream of its own. The
 * official server for it is no dependency of ours, and a script shows each byte that it sends.
 */
import { chunk, empty, jsonAnswer, lastChunk, progress, sseHead } from './scripted-mcp.ts';
import type { Script } from './scripted-server.ts';

export const modernScript: Script = (request) => {
  const { verb, json } = request;
  if (verb !== 'POST') return empty(405);
  const params = json?.params as {
    name?: string;
    arguments?: { n?: number };
    _meta?: { progressToken?: unknown };
  };
  switch (json?.method) {
    case 'server/discover':
      return jsonAnswer(request, {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
      });
    case 'tools/list':
      return jsonAnswer(request, {
        resultType: 'complete',
        tools: [{ name: 'count', inputSchema: { type: 'object' } }],
        ttlMs: 0,
        cacheScope: 'private',
      });
    case 'tools/call': {
      const parts = Array.from({ length: params.arguments?.n ?? 1 }, (_, index) => index + 1);
      const content = parts.map((part) => ({ type: 'text', text: `part ${part}` }));
      return [
        sseHead(),
        ...parts.map((part) => chunk(message(progress(params._meta?.progressToken, part)))),
        chunk(message({ jsonrpc: '2.0', id: json.id, result: { resultType: 'complete', content } })),
        lastChunk,
      ];
    }
    default:
      return json?.id === undefined ? empty(202) : empty(404);
  }
};

const message = (body: unknown): string => `event: message\ndata: ${JSON.stringify(body)}\n\n`;
