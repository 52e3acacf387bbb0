/** Mistakes in the command line, found before anything starts: named, with the way out, exit 64, no stack. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-program-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let stdout = '';
let stderr = '';
beforeEach(() => {
  stdout = '';
  stderr = '';
  vi.stubEnv('NO_COLOR', '1');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  vi.spyOn(console, 'log').mockImplementation((text) => {
    stdout += `${String(text)}\n`;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const calm = ['--profile', 'calm', '--seed', '1'];

describe('a mistake', () => {
  test.each<[string, readonly string[], RegExp]>([
    [
      'an unknown profile',
      ['--profile', 'dsync', '--', 'true'],
      /no profile "dsync"\. Did you mean "desync"\?/,
    ],
    [
      'a profile file that is not there',
      ['--profile', './none.yaml', '--', 'true'],
      /\.\/none\.yaml cannot be read: it does not exist/,
    ],
    [
      'an unknown flag',
      ['--profil', 'calm', '--', 'true'],
      /unknown flag --profil\. Did you mean --profile\?/,
    ],
    ['an unknown flag that is near nothing', ['--verbosity=3', '--', 'true'], /unknown flag --verbosity\.\n/],
    [
      'a flag without its value',
      [...calm, '--upstream', '--', 'true'],
      /--upstream: expected a value, found none/,
    ],
    ['a command without --', ['npm', 'test'], /unknown command "npm"[\s\S]*put it after --: .*-- npm test/],
    ['a mistyped command', ['chekc', 'x'], /unknown command "chekc"\. Did you mean "check"\?/],
    ['no command', calm, /no command to wrap/],
    ['nothing at all', [], /no command to wrap/],
    ['a command for proxy', ['proxy', ...calm, '--', 'true'], /proxy wraps no command/],
    ['no profile', ['--', 'true'], /--profile: expected a name or a file, found none[\s\S]*desync/],
    ['a bad duration', [...calm, '--deadline', 'soon', '--', 'true'], /--deadline: expected .* found "soon"/],
    [
      'a bad address',
      [...calm, '--upstream', 'localhost:3000/mcp', '--', 'true'],
      /http:\/\/localhost:3000\/mcp/,
    ],
    [
      'an unknown format',
      [...calm, '--report', 'jsn=x', '--', 'true'],
      /no format "jsn"[\s\S]*Did you mean "json"/,
    ],
    [
      'a report on a folder',
      [...calm, '--report', 'json=src', '--', 'true'],
      /src cannot be written: it is a folder/,
    ],
    [
      'a flag given twice',
      [...calm, '--seed', '2', '--', 'true'],
      /--seed: expected it once, found it 2 times/,
    ],
    [
      'an unknown --fail-on',
      [...calm, '--fail-on', 'hunged', '--', 'true'],
      /nothing called "hunged"\. Did you mean "hung"\?/,
    ],
    [
      'two ways to the timeout',
      [...calm, '--measure-timeout', '--client-timeout', '3s', '--', 'true'],
      /expected one of them/,
    ],
    [
      'a journal that is not there',
      ['check', 'none.ndjson'],
      /journal none\.ndjson cannot be read: it does not exist/,
    ],
    ['no journal', ['check'], /Not enough non-option arguments/],
    ['an address beyond loopback', ['serve', '--listen', '0.0.0.0:0'], /only loopback[\s\S]*--allow-remote/],
  ])('%s is named, and so is the way out', async (_what, args, message) => {
    expect(await main(args)).toBe(64);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stdout).toBe('');
  });

  test('in a profile is named with its line', async () => {
    const file = join(folder, 'weather.yaml');
    writeFileSync(file, 'name: x\ndescription: y\ncontract: opaque\nrulez: []\nrules: []\n');
    expect(await main(['validate', file])).toBe(64);
    expect(stderr).toMatch(/weather\.yaml:4:1 .*unknown key "rulez".*Did you mean "rules"/);
  });

  test.each<[string, string, RegExp]>([
    ['an unknown key', '- obligation: executes-once\n  tol: charge\n', /"tol"/],
    [
      'an unknown obligation',
      '- obligation: execute-once\n',
      /no obligation "execute-once"\. Did you mean "executes-once"/,
    ],
    ['no list', 'obligation: executes-once\n', /expected array/],
    ['no YAML', '- [', /expected\.yaml: /],
  ])('in the baseline (%s) is named', async (_what, text, message) => {
    const file = join(folder, 'expected.yaml');
    writeFileSync(file, text);
    expect(await main([...calm, '--expected', file, '--', 'true'])).toBe(64);
    expect(stderr).toMatch(message);
  });

  test('in a journal is named', async () => {
    const file = join(folder, 'no.ndjson');
    writeFileSync(file, 'hello\n');
    expect(await main(['check', file])).toBe(64);
    expect(stderr).toMatch(/is no journal: expected one fact a line.*line 1/);
  });
});

describe('the catalogue', () => {
  test('profiles and faults as JSON', async () => {
    const names = async (command: string): Promise<readonly string[]> => {
      stdout = '';
      expect(await main([command, '--json'])).toBe(0);
      return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    };
    expect(await names('profiles')).toEqual(expect.arrayContaining(['calm', 'desync', 'reconnect']));
    expect(await names('faults')).toEqual(expect.arrayContaining(['drop-stream', 'regress-cursor']));
  });

  test.each(['profiles', 'faults'])('%s as a table in 80 columns', async (command) => {
    expect(await main([command])).toBe(0);
    expect(stdout).toContain('drop-stream');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a shipped profile is valid', async () => {
    expect(await main(['validate', 'desync'])).toBe(0);
    expect(stdout).toMatch(/desync is valid: \d+ rules, contract monotonic:stream/);
  });

  test('help teaches by example and names every exit code', async () => {
    expect(await main(['--help'])).toBe(0);
    for (const word of ['-- npm test', '--client-timeout', '  70 ', '  130 ', 'check <journal>'])
      expect(stdout).toContain(word);
  });
});
