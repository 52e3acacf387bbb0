/** Messages, times and numbers in few words, for labels and for those who listen. */
import { toolOf } from '../../mcp/family.ts';
import type { Message } from '../../mcp/message.ts';

export function messagesInWords(messages: readonly Message[]): string {
  return messages.map(messageInWords).join(', ');
}

function messageInWords(message: Message): string {
  if (message.type === 'request') {
    const tool = toolOf(message);
    return `${message.method}${tool === undefined ? '' : ` ${tool}`}, id ${message.id}`;
  }
  if (message.type === 'response') {
    const to = message.id === null ? 'no known request' : `id ${message.id}`;
    return message.error === undefined
      ? `the answer to ${to}`
      : `an error to ${to}: ${message.error.message}`;
  }
  return notificationInWords(message.method, message.params);
}

function notificationInWords(method: string, params: unknown): string {
  const values = (typeof params === 'object' && params !== null ? params : {}) as Record<string, unknown>;
  switch (method) {
    case 'notifications/progress': {
      const total = values.total === undefined ? '' : ` of ${values.total}`;
      return `progress ${values.progress}${total}`;
    }
    case 'notifications/message':
      return typeof values.data === 'string' ? `log: ${values.data}` : 'a log message';
    case 'notifications/cancelled':
      return `the cancellation of id ${values.requestId}`;
    default:
      return method;
  }
}

/** `340 ms`, `2.5 s`, `3 min 5 s`. */
export function durationInWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Servers have ids of any length; their ends are what tells them apart. */
export function shortId(id: string): string {
  if (id === '') return '(empty id)';
  return id.length <= 20 ? id : `…${id.slice(-7)}`;
}

/** `ids 3, 4 and 5`, `ids 3 to 98`, `id 3`. */
export function idsInWords(ids: readonly string[]): string {
  const short = ids.map(shortId);
  if (short.length === 0) return 'no ids';
  if (short.length === 1) return `id ${short[0]}`;
  if (short.length <= 3) return `ids ${short.slice(0, -1).join(', ')} and ${short.at(-1)}`;
  return `ids ${short[0]} to ${short.at(-1)}`;
}
