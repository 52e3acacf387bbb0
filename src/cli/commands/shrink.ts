/** One seed that fails, made small: what it needs of its decisions, as cases to keep. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChaosError } from '../../errors.ts';
import { failures } from '../../report/reading.ts';
import { runApart } from '../../runner/apart.ts';
import { createHalt } from '../../runner/halt.ts';
import { loadProfile } from '../../runner/load-profile.ts';
import { distinctId, distinctOf } from '../../sweep/distinct.ts';
import { isFailure } from '../../watcher/policy.ts';
import type { Finding } from '../../watcher/report.ts';
import type { Command } from '../command.ts';
import { passedOn, readLaunch } from '../launch.ts';
import { withOptions } from '../options.ts';
import { readCount, readText } from '../read.ts';
import { say } from '../say.ts';
import { readProfileName } from '../setup.ts';
import { readShrinkBudget, shrinkFindings } from '../shrink-findings.ts';

export const shrink: Command = {
  command: 'shrink',
  describe: 'make a failing seed small: the fewest decisions that show it, as a case to keep',
  build: (yargs) =>
    withOptions(yargs, ['profile', 'seed', ...passedOn, 'jobs', 'shrink', 'shrink-time']).example(
      '$0 shrink --profile desync --seed 42 -- npm test',
      'runs the seed, then again and again with less',
    ),
  async run(args) {
    const profileName = readProfileName(args);
    const profile = loadProfile(profileName);
    const seed = readText(args, 'seed');
    if (seed === undefined) {
      throw new ChaosError('usage', '--seed: expected the seed that fails, found none', {
        hint: 'A run prints its seed; mcp-chaos sweep finds seeds that fail, and shrinks them itself.',
      });
    }
    const launch = readLaunch(args);
    const budget = readShrinkBudget(args);
    const jobs = readCount(args, 'jobs') ?? 1;
    const folder = mkdtempSync(join(tmpdir(), 'mcp-chaos-shrink-'));
    const halt = createHalt();
    try {
      say(`mcp-chaos: profile ${profileName}, seed ${seed}; first a run as it is`);
      const { report } = await runApart(launch, ['--profile', profileName, '--seed', seed], folder, halt);
      halt.end();
      if (halt.reason() !== undefined) return 130;
      if (report === undefined || report.exitCode > 3) {
        say(`the run could not be carried out: see ${join(folder, 'output.txt')}`);
        return report?.exitCode ?? 70;
      }
      const shown = onceEach(failures(report).filter(isFailure)).map((finding) => ({ finding, report }));
      if (shown.length === 0) {
        say(
          `seed ${seed} shows no failure: ${report.void ? 'the run is void' : 'there is nothing to shrink'}`,
        );
        return report.exitCode;
      }
      const whole = await shrinkFindings(shown, { launch, profile, profileName, folder, jobs, budget });
      rmSync(folder, { recursive: true, force: true });
      return whole ? report.exitCode : 130;
    } finally {
      halt.end();
      await launch.workers.close();
    }
  },
};

function onceEach(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, Finding>();
  for (const finding of findings) {
    const id = distinctId(distinctOf(finding));
    if (!first.has(id)) first.set(id, finding);
  }
  return [...first.values()];
}
