import { expect, test } from 'vitest';
import { maskArguments } from '../../src/runner/secrets.ts';

test.each<[string, readonly string[], readonly string[]]>([
  ['a named flag and its value', ['--api-key', 'abc', '--token=abc'], ['--api-key', '***', '--token=***']],
  ['camel case', ['--accessToken', 'abc', 'apiKey=abc'], ['--accessToken', '***', 'apiKey=***']],
  ['an assignment', ['OPENAI_API_KEY=abc', 'DB_PASSWORD=x=y'], ['OPENAI_API_KEY=***', 'DB_PASSWORD=***']],
  [
    'a header',
    ['-H', 'Authorization: Bearer abc', 'X-Api-Key: abc'],
    ['-H', 'Authorization: ***', 'X-Api-Key: ***'],
  ],
  ['a bearer anywhere', ['echo "use bearer abc.def now"'], ['echo "use bearer *** now"']],
  [
    'credentials in a URL',
    ['https://me:pw@host/x?token=abc&page=2'],
    ['https://***@host/x?token=***&page=2'],
  ],
  ['well-known shapes', ['sk-abcdefghijklmnop1234', `ghp_${'a'.repeat(36)}`], ['***', '***']],
  ['a token in JSON web form', ['x eyJhbGciOiJI.eyJzdWIiOiIx.c2ln y'], ['x *** y']],
  [
    'what a shell script inside an argument names',
    ['sh', '-c', 'cd x && MY_TOKEN="a b" curl --password hunter2 --max-time 5'],
    ['sh', '-c', 'cd x && MY_TOKEN=*** curl --password *** --max-time 5'],
  ],
  ['a flag followed by another flag', ['--token', '--verbose'], ['--token', '--verbose']],
  [
    'nothing in a plain command',
    ['npm', 'test', '--', '--max-tokens', '500', '{url}', 'a:b', 'key=value', '--keyboard=us'],
    ['npm', 'test', '--', '--max-tokens', '500', '{url}', 'a:b', 'key=value', '--keyboard=us'],
  ],
])('masks %s', (_what, given, expected) => {
  expect(maskArguments(given)).toEqual(expected);
});

test('masks the value of an environment variable whose name says that it is secret, wherever it stands', () => {
  const environment = { GITHUB_TOKEN: 'hunter2hunter2', HOME: '/home/somebody', SHORT_SECRET: 'a' };
  expect(maskArguments(['run', '/home/somebody/a', 'x-hunter2hunter2-y'], environment)).toEqual([
    'run',
    '/home/somebody/a',
    'x-***-y',
  ]);
});
