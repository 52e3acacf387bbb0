/**
 * `mcp-chaos/vitest`: a reporter that marks whole tests, so that a finding can be told by the test it belongs to.
 *
 *   reporters: ['default', 'mcp-chaos/vitest']
 *
 * The scope of a mark is the test, as `file > suite > test`. A test's traffic to its own servers is in that scope by
 * itself; what goes to `MCP_CHAOS_URL` is where it connects to `testUrl(task)`.
 * Outside of a run the reporter does nothing. Of vitest it needs the types only.
 */
import { relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { type MarkDetails, type MarkPhase, mark, scopeUrl } from './mark.ts';

/** What `testScope` needs of the `task` in a test's context. */
export interface TestTask {
  readonly name: string;
  /** Its name is the path inside the project; in a workspace the project has one too. */
  readonly file: { readonly name: string; readonly projectName?: string | undefined };
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

/** As the preload names the scope of what it intercepts. */
function scopeOf(project: string | undefined, file: string, fullName: string): string {
  const scope = [project, file, fullName].filter(Boolean).join(' > ');
  return scope.length <= maxScope ? scope : `${scope.slice(0, 99)}…${scope.slice(-100)}`;
}

/** The scope of a test, for marks of its calls. */
export function testScope(task: TestTask): string {
  return scopeOf(task.file.projectName, task.file.name, task.fullTestName ?? fullNameOf(task));
}

/**
 * The endpoint under which this test's traffic is its own: `test('…', async ({ task }) => connect(testUrl(task)))`.
 * Outside of a run it is `fallback`.
 */
export function testUrl(task: TestTask, fallback?: string): string {
  return scopeUrl(testScope(task), fallback);
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

  #post(phase: MarkPhase, { fullName, module, project }: TestCase, error?: string): void {
    const file = relative(project.config.root, module.moduleId).replaceAll('\\', '/');
    const details: MarkDetails = {
      name: fullName.slice(0, 500),
      scope: scopeOf(project.name, file, fullName),
    };
    const posted: Promise<unknown> = mark(phase, error === undefined ? details : { ...details, error });
    this.#posted.add(posted);
    posted.finally(() => this.#posted.delete(posted));
  }
}
