/**
 * `mcp-chaos/vitest`: a reporter that marks whole tests, so that a finding can be told by the test it belongs to.
 *
 *   reporters: ['default', 'mcp-chaos/vitest']
 *
 * The scope of a mark is the test's name. A test's traffic is in that scope where it connects to `testUrl(task)`.
 * Outside of a run the reporter does nothing. Of vitest it needs the types only.
 */
import type { Reporter, TestCase } from 'vitest/node';
import { type MarkDetails, type MarkPhase, mark, scopeUrl } from './mark.ts';

/** What `testUrl` needs of the `task` in a test's context. */
export interface TestTask {
  readonly name: string;
  /** `suite > test`; absent before vitest 4. */
  readonly fullTestName?: string | undefined;
  readonly suite?: SuiteTask | undefined;
}

interface SuiteTask {
  readonly name: string;
  readonly suite?: SuiteTask | undefined;
}

/** Marks take no longer scope; what tells long names apart may stand at either end. */
const maxScope = 200;

/** The scope of a test by its full name, `suite > test`. */
function scopeOf(fullName: string): string {
  return fullName.length <= maxScope ? fullName : `${fullName.slice(0, 99)}…${fullName.slice(-100)}`;
}

/**
 * The endpoint under which this test's traffic is its own: `test('…', async ({ task }) => connect(testUrl(task)))`.
 * Outside of a run it is `fallback`.
 */
export function testUrl(task: TestTask, fallback?: string): string {
  return scopeUrl(scopeOf(task.fullTestName ?? fullNameOf(task)), fallback);
}

function fullNameOf(task: SuiteTask): string {
  return task.suite === undefined || task.suite.name === ''
    ? task.name
    : `${fullNameOf(task.suite)} > ${task.name}`;
}

/** Owns the marks that are on their way, which the run waits for before it ends. */
export default class McpChaosReporter implements Reporter {
  readonly #posted = new Set<Promise<unknown>>();

  onTestCaseReady(test: TestCase): void {
    this.#post('started', test);
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    if (state === 'passed') this.#post('resolved', test);
    const [error] = errors ?? [];
    if (state === 'failed')
      this.#post('rejected', test, `${error?.name ?? 'Error'}: ${error?.message ?? ''}`);
  }

  async onTestRunEnd(): Promise<void> {
    await Promise.all(this.#posted);
  }

  #post(phase: MarkPhase, { fullName }: TestCase, error?: string): void {
    const details: MarkDetails = { name: fullName.slice(0, 500), scope: scopeOf(fullName) };
    const posted: Promise<unknown> = mark(phase, error === undefined ? details : { ...details, error });
    this.#posted.add(posted);
    posted.finally(() => this.#posted.delete(posted));
  }
}
