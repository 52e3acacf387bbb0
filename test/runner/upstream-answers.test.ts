import { expect, test } from 'vitest';
import type { Fact, FactBody } from '../../src/history/fact.ts';
import { watchUpstreamAnswers } from '../../src/runner/upstream-answers.ts';

function somethingElse(...bodies: readonly FactBody[]): string | undefined {
  const answers = watchUpstreamAnswers('upstream');
  for (const [index, body] of bodies.entries())
    answers.observe({ ...body, seq: index + 1, at: index } as Fact);
  return answers.somethingElse();
}

const post = (exchange: number, mcp = true, upstream = 'upstream'): FactBody => ({
  kind: 'request',
  exchange,
  connection: 1,
  upstream,
  scope: 'main',
  lane: 's1',
  verb: 'POST',
  path: '/mcp',
  headers: {},
  mcp,
});
const head = (
  exchange: number,
  status: number,
  type?: string,
  side: 'both' | 'client' | 'upstream' = 'both',
): FactBody => ({
  kind: 'head',
  exchange,
  side,
  status,
  headers: type === undefined ? {} : { 'content-type': type },
});

test('a web page is not MCP, and neither is a bare 404', () => {
  expect(somethingElse(post(1), head(1, 200, 'text/html'))).toBe('200 text/html');
  expect(somethingElse(post(1), head(1, 404))).toBe('404 without a content type');
});

test.each([
  [200, 'application/json'],
  [200, 'text/event-stream'],
  [400, 'application/json; charset=utf-8'],
  [202, undefined],
  [401, 'text/html'],
  [503, 'text/html'],
])('%d %s may be MCP', (status, type) => {
  expect(somethingElse(post(1), head(1, 404, 'text/html'), post(2), head(2, status, type))).toBeUndefined();
});

test('where nothing was asked, nothing is said', () => {
  expect(somethingElse()).toBeUndefined();
  expect(somethingElse(post(1, false), head(1, 200, 'text/html'))).toBeUndefined();
  expect(somethingElse(post(1))).toBeUndefined();
});

test('what we answered ourselves says nothing of upstream', () => {
  expect(somethingElse(post(1), head(1, 404, 'text/html', 'client'))).toBeUndefined();
});

test('what another server said, which the command found by itself, is not held against it', () => {
  expect(somethingElse(post(1, true, 'server-1'), head(1, 404, 'text/plain'))).toBeUndefined();
});
