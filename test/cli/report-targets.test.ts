import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readTargets, withGithub, writeReports } from '../../src/cli/report-targets.ts';
import { broken } from '../report/sample.ts';

describe('under GitHub Actions', () => {
  const names = (asked: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] =>
    withGithub(readTargets(asked), environment).map(({ reporter }) => reporter.name);

  test('annotations and the step summary need no flag', () => {
    expect(names(['json'], { GITHUB_ACTIONS: 'true' })).toEqual(['json', 'github']);
    expect(names([], { GITHUB_ACTIONS: 'true' })).toEqual(['github']);
  });

  test('anywhere else they do', () => {
    expect(names(['json'], {})).toEqual(['json']);
    expect(names([], { GITHUB_ACTIONS: 'false' })).toEqual([]);
  });

  test('whoever names the format has it once, as it was named', () => {
    expect(names(['github=-'], { GITHUB_ACTIONS: 'true' })).toEqual(['github']);
  });
});

describe('the step summary', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-targets-'));
    vi.stubEnv('GITHUB_STEP_SUMMARY', join(folder, 'summary.md'));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true, force: true });
  });

  test('goes into the file that GitHub names, after what stands there, and annotations to stderr', () => {
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const targets = withGithub([], { GITHUB_ACTIONS: 'true' });
    writeReports(broken, targets, folder, 'none.ndjson');
    writeReports(broken, targets, folder, 'none.ndjson');
    const summary = readFileSync(join(folder, 'summary.md'), 'utf8');
    expect(summary.match(/^## mcp-chaos: /gm)).toHaveLength(2);
    expect(printed.mock.calls.flat().join('')).toMatch(/^::error title=/m);
  });
});
