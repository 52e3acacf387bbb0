/**
 * Everything that must hold, in one go: `npm run check`, and the same in CI.
 *
 * Every part runs even when an earlier one failed, so that one run shows all there is to mend. The last
 * line is `N passed, N failed`: tests are counted one by one, every other part counts as one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Part {
  readonly name: string;
  readonly command: readonly string[];
  readonly minutes: number;
  /** Reads a finer count than "one part" out of what the command left behind. */
  readonly count?: () => Count;
}

interface Count {
  readonly passed: number;
  readonly failed: number;
}

const scratch = mkdtempSync(join(tmpdir(), 'mcp-chaos-check-'));
const results = join(scratch, 'vitest.json');
/** Biome has a flag of its own for this, and does not read NO_COLOR. */
const colour = process.env.NO_COLOR ? ['--colors=off'] : [];

const parts: readonly Part[] = [
  {
    name: 'format and lint',
    command: ['npx', 'biome', 'ci', '--error-on-warnings', '--diagnostic-level=warn', ...colour, '.'],
    minutes: 2,
  },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'], minutes: 4 },
  { name: 'unused code and dependencies', command: ['npx', 'knip'], minutes: 3 },
  {
    name: 'tests',
    command: ['npm', 'test', '--', '--reporter=default', '--reporter=json', `--outputFile.json=${results}`],
    minutes: 45,
    count: () => countTests(readFileSync(results, 'utf8')),
  },
  { name: 'package', command: ['npx', 'tsx', 'scripts/pack-test.ts'], minutes: 8 },
];

/** Counts tests; a file that could not be loaded has none, and counts as one failure. */
function countTests(json: string): Count {
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(json) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
    readonly testResults: readonly {
      readonly status: string;
      readonly assertionResults: readonly unknown[];
    }[];
  };
  const unloaded = testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + unloaded.length };
}

/** Runs one command in a process group of its own, so that a limit ends its children too. */
function run({ command, minutes }: Part): Promise<string | undefined> {
  const [file, ...args] = command;
  return new Promise((resolve) => {
    const child = spawn(file!, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
    const stop = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // The group is already gone.
      }
    };
    const limit = setTimeout(() => {
      stop();
      resolve(`not finished after ${minutes} minutes`);
    }, minutes * 60_000);
    const settle = (why: string | undefined): void => {
      clearTimeout(limit);
      process.off('exit', stop);
      resolve(why);
    };
    process.once('exit', stop);
    child.once('error', (error) => settle(error.message));
    child.once('close', (code, signal) =>
      settle(code === 0 ? undefined : `exit ${code === null ? `by ${signal}` : code}`),
    );
  });
}

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

let passed = 0;
let failed = 0;
const summary: string[] = [];
for (const part of parts) {
  console.log(`\n── ${part.name}: ${part.command.slice(0, 3).join(' ')}`);
  const began = performance.now();
  const problem = await run(part);
  let count: Count = { passed: problem ? 0 : 1, failed: problem ? 1 : 0 };
  if (part.count) {
    try {
      const finer = part.count();
      // A runner that failed with no failed test (an unhandled error, a limit) is a failure all the same.
      count = { passed: finer.passed, failed: problem && finer.failed === 0 ? 1 : finer.failed };
      if (finer.passed + finer.failed === 0) count = { passed: 0, failed: 1 };
    } catch {
      count = { passed: 0, failed: 1 };
    }
  }
  passed += count.passed;
  failed += count.failed;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  summary.push(`${count.failed ? '✗' : '✓'} ${part.name} (${seconds} s)${problem ? `: ${problem}` : ''}`);
}
console.log(`\n${summary.join('\n')}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
