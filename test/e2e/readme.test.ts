/** The README's sample is from a real run; this says that today's code still draws the same plan. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, runCli } from './harness/run-cli.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test('the README command makes the decisions and ends as the README shows', async () => {
  const command = /^npx mcp-chaos (--profile desync .*)$/m.exec(read('README.md'))?.[1];
  const shown = read('docs/sample.txt');
  const digest = /digest (\w{16})/.exec(shown)?.[1];
  expect(command).toBeDefined();
  expect(digest).toBeDefined();

  const { code, stderr, report } = await runCli(command!.split(' '), {
    timeoutMs: 90_000,
    env: { NO_COLOR: '1' },
  });
  expect(report?.decisionsDigest.slice(0, 16), 'run: npm run docs -- --sample').toBe(digest);
  expect(code).toBe(1);
  // What an outcome is may depend on time; the heading, and what the run came to, may not.
  const fixed = (text: string): readonly string[] =>
    text.split('\n').filter((line) => /^(mcp-chaos \d|exit \d)/.test(line));
  expect(fixed(shown).length).toBe(2);
  expect(fixed(stderr)).toEqual(fixed(shown));
});
