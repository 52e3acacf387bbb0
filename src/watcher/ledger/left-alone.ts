/** What interception left alone, in words. */
import type { LeftAloneFact } from '../../history/fact.ts';

const sentences: Readonly<Record<string, (count: string) => string>> = {
  direct: (count) => `${count} of the command's own that are no MCP went direct`,
  forwarded: (count) => `${count} of the command's own that are no MCP were forwarded untouched (http_proxy)`,
  remote: (count) => `${count} of MCP to other machines went direct; --allow-remote takes them along`,
  'fake-timers': (count) => `${count} of MCP went direct, because the test's clock was a fake one`,
  mocked: () => 'a test answers requests from mocks (undici MockAgent): they were left alone',
  'fetch-replaced': () =>
    'a test put another fetch in the place of the global one: its requests were left alone',
  'own-tls': () =>
    'https requests that trust a certificate of their own went direct: only the client can check it',
};

export function leftAloneNote({ reason, count }: LeftAloneFact): string {
  const requests = `${count} request${count === 1 ? '' : 's'}`;
  return sentences[reason]?.(requests) ?? `${requests} went direct (${reason})`;
}
