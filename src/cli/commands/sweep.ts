/** Many seeds of one profile: which faults were reached, and every way to fail once. */
import { join } from 'node:path';
import { findingLike } from '../../cases/replayed.ts';
import { ChaosError } from '../../errors.ts';
import { sha256Hex } from '../../mcp/digest.ts';
import type { Profile } from '../../profiles/schema.ts';
import { sweepReporters } from '../../report/sweep-reporters.ts';
import { readReport } from '../../runner/apart.ts';
import { loadProfile } from '../../runner/load-profile.ts';
import { maskArguments } from '../../runner/secrets.ts';
import { sweep as runSweep, runsFolder, type SweepOptions } from '../../runner/sweep.ts';
import { version } from '../../runner/version.ts';
import { fold } from '../../sweep/fold.ts';
import type { SweepStarted } from '../../sweep/record.ts';
import type { SweepReport } from '../../sweep/report.ts';
import type { Arguments, Command } from '../command.ts';
import { passedOn, readLaunch } from '../launch.ts';
import { type OptionName, policyOptions, withOptions } from '../options.ts';
import { readPolicy } from '../policy.ts';
import { readCount, readDuration, readSwitch, readText, readTexts } from '../read.ts';
import { readTargetsOf } from '../report-targets.ts';
import { newestSweepPath, sweepPathFor } from '../run-folder.ts';
import { say } from '../say.ts';
import { readProfileName } from '../setup.ts';
import { readShard } from '../shard.ts';
import { readShrinkBudget, type Shown, type ShrinkBudget, shrinkFindings } from '../shrink-findings.ts';
import { finishSweep } from '../sweep-finish.ts';
import { sweepProgress } from '../sweep-progress.ts';

const understood: readonly OptionName[] = [
  'profile',
  ...passedOn,
  ...policyOptions,
  'report',
  'seeds',
  'from',
  'jobs',
  'max-time',
  'stop-on',
  'shard',
  'result',
  'resume',
  'shrink',
  'shrink-time',
];

export const sweep: Command = {
  command: 'sweep',
  describe: 'run many seeds: what they reach, and each way to fail once',
  build: (yargs) =>
    withOptions(yargs, understood)
      .example('$0 sweep --profile desync --seeds 200 -- npm test', 'two hundred seeds, after a calm control')
      .example('$0 sweep --profile desync --jobs 4 --max-time 10m -- npm test', 'four at a time')
      .example('$0 sweep --profile desync --seeds 200 --resume -- npm test', 'go on after it was killed')
      .example(
        '$0 sweep --profile desync --seeds 400 --shard 2/4 --result shard-2.ndjson -- npm test',
        'a quarter of them; merge puts the files together',
      ),
  async run(args) {
    const { targets, profile, budget, ...options } = readSweep(args);
    const progress = await sweepProgress(process.stderr);
    say(
      `mcp-chaos: profile ${options.started.profile}, ${describeSeeds(options.started)}; first a control under calm`,
    );
    try {
      const part = await runSweep({
        ...options,
        onControl: ({ failed, durationMs }) => {
          if (failed === undefined)
            say(`mcp-chaos: the control passed in ${(durationMs / 1000).toFixed(1)} s`);
        },
        onBegin: (planned, before) => {
          if (before.length > 0) say(`mcp-chaos: ${before.length} of ${planned} seeds had already run`);
          progress.begin(planned, before);
        },
        onRun: (run) => progress.run(run),
      });
      progress.stop();
      const report = fold([part]);
      const code = finishSweep(
        report,
        targets,
        [
          `sweep ${options.file}   (again: mcp-chaos merge ${options.file})`,
          ...(report.findings.length === 0
            ? []
            : [`journals of the runs that found something: ${runsFolder(options.file)}/<seed>/`]),
        ],
        [runsFolder(options.file)],
      );
      if (part.ended?.reason === 'interrupted' || report.void || budget.findings === 0) return code;
      const whole = await shrinkFindings(shownBy(report, runsFolder(options.file)), {
        launch: options.launch,
        profile,
        profileName: options.started.profile,
        folder: join(runsFolder(options.file), 'shrinking'),
        jobs: options.jobs,
        budget,
      });
      return whole ? code : 130;
    } finally {
      progress.stop();
      await options.launch.workers.close();
    }
  },
};

/** Of each failing finding the run with the fewest decisions. */
function shownBy(report: SweepReport, folder: string): readonly Shown[] {
  return report.findings
    .filter(({ fails }) => fails)
    .flatMap((group) => {
      const [best] = report.runs
        .filter(({ seed }) => group.seeds.includes(seed))
        .sort((a, b) => a.coverage.faults.armed - b.coverage.faults.armed || a.seed - b.seed);
      const run = readReport(join(folder, String(best!.seed), 'report.json'));
      const finding = run === undefined ? undefined : findingLike(run, group);
      return run === undefined || finding === undefined ? [] : [{ finding, report: run }];
    });
}

function describeSeeds({ seeds, shard }: SweepStarted): string {
  const range = `seeds ${seeds.from} to ${seeds.from + seeds.count - 1}`;
  return shard.count === 1 ? range : `shard ${shard.index} of ${shard.count} of ${range}`;
}

interface SweepSetup extends SweepOptions {
  readonly profile: Profile;
  readonly targets: ReturnType<typeof readTargets>;
  readonly budget: ShrinkBudget;
}

function readSweep(args: Arguments): SweepSetup {
  const launch = readLaunch(args);
  const profileName = readProfileName(args);
  const profile = loadProfile(profileName);
  const started: SweepStarted = {
    kind: 'sweep-started',
    format: 1,
    version,
    profile: profileName,
    profileDigest: digestOf(profile),
    contract: profile.contract,
    faults: [...new Set(profile.rules.map(({ fault }) => fault))],
    command: maskArguments(launch.command, process.env),
    flags: maskArguments(launch.flags, process.env),
    seeds: { from: readCount(args, 'from') ?? 1, count: readCount(args, 'seeds') ?? 100 },
    shard: readShard(args),
    policy: readPolicy(args) ?? {},
  };
  const maxTimeMs = readDuration(args, 'max-time');
  return {
    started,
    launch,
    ...readFile(args, profileName),
    jobs: readCount(args, 'jobs') ?? 1,
    stopOn: readStopOn(args),
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
    profile,
    targets: readTargets(args),
    budget: readShrinkBudget(args),
  };
}

function readTargets(args: Arguments) {
  return readTargetsOf(readTexts(args, 'report'), sweepReporters);
}

function readFile(args: Arguments, profile: string): { readonly file: string; readonly resume: boolean } {
  const resume = readSwitch(args, 'resume');
  const file = readText(args, 'result');
  if (file !== undefined) return { file, resume };
  if (!resume) return { file: sweepPathFor(profile, new Date()), resume };
  const newest = newestSweepPath();
  if (newest !== undefined) return { file: newest, resume };
  throw new ChaosError('usage', '--resume: there is no sweep under .mcp-chaos/sweeps to go on with', {
    hint: 'Name its file with --result, or leave --resume out.',
  });
}

function readStopOn(args: Arguments): 'first' | 'never' {
  const text = readText(args, 'stop-on') ?? 'never';
  if (text === 'first' || text === 'never') return text;
  throw new ChaosError('usage', `--stop-on: expected first or never, found "${text}"`);
}

/** Of what it says and not of how the file is written. */
function digestOf(profile: Profile): string {
  return sha256Hex(JSON.stringify(profile)).slice(0, 16);
}
