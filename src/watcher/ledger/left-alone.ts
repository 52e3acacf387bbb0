/** What interception left alone, in words. */
import type { LeftAloneFact } from '../../history/fact.ts';

const sentences: Readonly<Record<string, (count: string) => string>> = {
  direct: (count) => `not MCP, and sent direct: ${count} of the command`,
  forwarded: (count) => `not MCP, and forwarded untouched (http_proxy): ${count} of the command`,
  remote: (count) => `MCP to other machines, and sent direct: ${count}; --allow-remote takes them along`,
  'fake-timers': (count) => `MCP of sessions that began under a fake clock, and left untouched: ${count}`,
  mocked: () => 'a test answers requests from mocks (undici MockAgent): they were left alone',
  'fetch-replaced': () =>
    'a test put another fetch in the place of the global one: what it answers by itself was left alone',
  'own-tls': () =>
    'https requests that trust a certificate of their own went direct: only the client can check it',
};

export function leftAloneNote({ reason, count }: LeftAloneFact): string {
  const requests = `${count} request${count === 1 ? '' : 's'}`;
  return sentences[reason]?.(requests) ?? `${requests} went direct (${reason})`;
}
