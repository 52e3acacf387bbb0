/**
 * The package as a stranger gets it: packed, installed in an empty folder, run there.
 *
 * Works on a copy, because packing builds anew and other tests may be running the build that is here.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'mcp-chaos-pack-'));
const copy = join(scratch, 'copy');
const empty = join(scratch, 'empty');

const carried = [
  'package.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'tsconfig.json',
  'tsconfig.build.json',
  'bin',
  'src',
  'profiles',
  'schemas',
  'examples',
  'scripts/bundle.mjs',
];

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs a command to its end, at most three minutes. */
function run(cwd: string, command: readonly string[], expected: readonly number[] = [0]): Ran {
  const [file, ...args] = command;
  const options: SpawnSyncOptions = { cwd, timeout: 180_000, stdio: ['ignore', 'pipe', 'pipe'] };
  const { stdout, stderr, status, error } = spawnSync(file!, args, { ...options, encoding: 'utf8' });
  if (error) throw error;
  if (status === null || !expected.includes(status)) {
    throw new Error(
      `${command.join(' ')}: exit ${status}, expected ${expected.join(' or ')}\n${stdout}\n${stderr}`,
    );
  }
  return { stdout, stderr, code: status };
}

function check(what: string, holds: boolean, found: string): void {
  if (!holds) throw new Error(`${what}\n${found}`);
  console.log(`✓ ${what}`);
}

/** A suite as most are: it knows nothing of us. */
const ownServer = `import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, test } from 'vitest';

test('asks its own server', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json').end('{"jsonrpc":"2.0","id":1,"result":{}}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await fetch(\`http://127.0.0.1:\${server.address().port}/mcp\`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } }),
  });
  expect(await answer.json()).toMatchObject({ id: 1 });
  server.close();
});
`;

try {
  mkdirSync(copy);
  mkdirSync(empty);
  for (const path of carried) {
    if (existsSync(join(root, path))) cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  const packed = run(copy, ['npm', 'pack', '--json', '--pack-destination', scratch]);
  const json = packed.stdout.slice(packed.stdout.lastIndexOf('\n[') + 1);
  const [{ filename, files, unpackedSize }] = JSON.parse(json) as [
    { filename: string; files: readonly { path: string }[]; unpackedSize: number },
  ];
  const tarball = join(scratch, filename);
  const paths = files.map(({ path }) => path);
  const needed = [
    'bin/mcp-chaos.js',
    'dist/program/main.js',
    'dist/program/worker.js',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/page/main.js',
    'dist/page/page.css',
    'profiles/desync.yaml',
    'schemas/profile.schema.json',
    'schemas/report.schema.json',
  ];
  check(
    'the tarball holds the command, the library with its types, and the profiles',
    [...needed, 'README.md', 'LICENSE', 'CHANGELOG.md'].every((path) => paths.includes(path)),
    paths.join('\n'),
  );
  check(
    'the tarball holds nothing else',
    paths.every((path) =>
      /^(bin|dist|profiles|schemas|examples\/quickstart)\/|^[A-Z]+(\.md)?$|^package\.json$/.test(path),
    ) && !paths.some((path) => path.includes('tsbuildinfo')),
    paths.join('\n'),
  );
  check('it unpacks to less than 2 MB', unpackedSize < 2_000_000, `${unpackedSize} bytes`);
  run(root, ['npx', '--no-install', 'publint', 'run', tarball, '--strict']);
  console.log('✓ publint has no complaint');

  run(empty, ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball]);
  const help = run(empty, ['npx', '--no-install', 'mcp-chaos', '--help']);
  check(
    'npx mcp-chaos --help names the profile option',
    help.stdout.includes('--profile'),
    help.stdout + help.stderr,
  );
  const calm = run(empty, [
    ...['npx', '--no-install', 'mcp-chaos', '--profile', 'calm', '--seed', '1'],
    ...['--report', 'html=page.html', '--'],
    ...['node', 'node_modules/mcp-chaos/examples/quickstart/client.mjs'],
  ]);
  check('a calm run of the quickstart client ends with its exit code, 0', calm.code === 0, calm.stderr);

  const page = readFileSync(join(empty, 'page.html'), 'utf8');
  check(
    'its report as a page has the program and the journal in it, in less than 500 kB',
    /<script type="application\/gzip" id="history">.{1000}/.test(page) && page.length < 500_000,
    page.slice(0, 2000),
  );

  // Were the types not found, everything would be `any`, and no line could be expected to fail.
  const types = `import { faults, type Report } from 'mcp-chaos';
export const names: readonly string[] = faults.map(({ name }) => name);
// @ts-expect-error an exit code is a number
export const exitCode: Report['exitCode'] = 'none';
`;
  writeFileSync(join(empty, 'use.mts'), types);
  writeFileSync(
    join(empty, 'use.mjs'),
    `import * as chaos from 'mcp-chaos';\nif (!Object.keys(chaos).length) throw 1;\n`,
  );
  run(empty, ['node', 'use.mjs']);
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022'];
  run(empty, [process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...flags, 'use.mts']);
  console.log('✓ the library loads, and its types are found');

  // vitest is the stranger's own; ours stands in for it.
  symlinkSync(join(root, 'node_modules/vitest'), join(empty, 'node_modules/vitest'));
  writeFileSync(
    join(empty, 'vitest.config.mjs'),
    `export default { test: { include: ['own.spec.mjs'], reporters: ['default', 'mcp-chaos/vitest'] } };\n`,
  );
  writeFileSync(join(empty, 'own.spec.mjs'), ownServer);
  const vitest = ['node', 'node_modules/vitest/vitest.mjs', 'run'];
  const suite = ['--profile', 'calm', '--seed', '1', '--journal', 'suite.ndjson', '--', ...vitest];
  run(empty, ['npx', '--no-install', 'mcp-chaos', ...suite]);
  const facts = readFileSync(join(empty, 'suite.ndjson'), 'utf8');
  check(
    'a vitest suite with a server of its own is marked by the reporter and intercepted, under the name of its test',
    /"kind":"mark","phase":"resolved".*asks its own server/.test(facts) &&
      /"kind":"request",.*"scope":"[^"]*asks its own server"/.test(facts),
    facts,
  );
} catch (error) {
  console.error(`✗ ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
