/** A call's intermediate messages, on the call's own stream. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { LogFilter } from './log-level.ts';

export type CallContext = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * Sends `parts` one by one, each after `delayMs`: as progress where the caller gave a token, else as log
 * messages. Rejects with an `AbortError` when the call is cancelled or its session ends.
 */
export async function sendParts(
  context: CallContext,
  wanted: LogFilter,
  parts: readonly string[],
  delayMs: number,
): Promise<void> {
  const progressToken = context._meta?.progressToken;
  for (const [index, message] of parts.entries()) {
    await sleep(delayMs, undefined, { signal: context.signal });
    if (progressToken !== undefined) {
      await context.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: index + 1, total: parts.length, message },
      });
    } else if (wanted('info')) {
      await context.sendNotification({
        method: 'notifications/message',
        params: { level: 'info', logger: 'mcp-chaos', data: message },
      });
    }
  }
}

/** A tool result of one text block for each part. */
export function textResult(...parts: readonly string[]) {
  return { content: parts.map((text) => ({ type: 'text' as const, text })) };
}
