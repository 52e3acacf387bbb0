/** Many seeds of one profile: which faults were reached, and every way to fail once. */
import { ChaosError } from '../../errors.ts';
import { sha256Hex } from '../../mcp/digest.ts';
import type { Profile } from '../../profiles/schema.ts';
import { sweepReporters } from '../../report/sweep-reporters.ts';
import { loadProfile, profileNames } from '../../runner/load-profile.ts';
import { maskArguments } from '../../runner/secrets.ts';
import { sweep as runSweep, runsFolder, type SweepOptions } from '../../runner/sweep.ts';
import { version } from '../../runner/version.ts';
import { fold } from '../../sweep/fold.ts';
import type { SweepStarted } from '../../sweep/record.ts';
import type { Arguments, Command } from '../command.ts';
import { type OptionName, runOptions, withOptions } from '../options.ts';
import { readPolicy } from '../policy.ts';
import { readCount, readDuration, readSwitch, readText, readTexts } from '../read.ts';
import { readTargetsOf } from '../report-targets.ts';
import { newestSweepPath, sweepPathFor } from '../run-folder.ts';
import { say } from '../say.ts';
import { flagWords } from '../setup.ts';
import { readShard } from '../shard.ts';
import { finishSweep } from '../sweep-finish.ts';
import { sweepProgress } from '../sweep-progress.ts';
import { readCommand } from './run.ts';

/** What the sweep says to its runs itself, or judges over all of them. */
const ownOptions: readonly OptionName[] = [
  'profile',
  'seed',
  'only',
  'listen',
  'measure-timeout',
  'fail-on',
  'min-detection',
  'expected',
  'suite-exit',
  'report',
  'journal',
];

const passedOn = runOptions.filter((name) => !ownOptions.includes(name));

const understood: readonly OptionName[] = [
  'profile',
  ...passedOn,
  'fail-on',
  'min-detection',
  'expected',
  'suite-exit',
  'report',
  'seeds',
  'from',
  'jobs',
  'max-time',
  'stop-on',
  'shard',
  'result',
  'resume',
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
    const { targets, ...options } = readSweep(args);
    const progress = sweepProgress(process.stderr);
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
      return finishSweep(fold([part]), targets, [
        `sweep ${options.file}   (again: mcp-chaos merge ${options.file})`,
        `journals of the runs that found something: ${runsFolder(options.file)}/<seed>/`,
      ]);
    } finally {
      progress.stop();
    }
  },
};

function describeSeeds({ seeds, shard }: SweepStarted): string {
  const range = `seeds ${seeds.from} to ${seeds.from + seeds.count - 1}`;
  return shard.count === 1 ? range : `shard ${shard.index} of ${shard.count} of ${range}`;
}

function readSweep(args: Arguments): SweepOptions & { readonly targets: ReturnType<typeof readTargets> } {
  const command = readCommand(args);
  const profileName = readText(args, 'profile');
  if (profileName === undefined) {
    throw new ChaosError('usage', '--profile: expected a name or a file, found none', {
      hint: `Profiles: ${profileNames().join(', ')}. What they do: mcp-chaos profiles.`,
    });
  }
  const profile = loadProfile(profileName);
  const flags = passedOn.flatMap((name) => flagWords(args, name));
  const started: SweepStarted = {
    kind: 'sweep-started',
    format: 1,
    version,
    profile: profileName,
    profileDigest: digestOf(profile),
    contract: profile.contract,
    faults: [...new Set(profile.rules.map(({ fault }) => fault))],
    command: maskArguments(command, process.env),
    flags: maskArguments(flags, process.env),
    seeds: { from: readCount(args, 'from') ?? 1, count: readCount(args, 'seeds') ?? 100 },
    shard: readShard(args),
    policy: readPolicy(args) ?? {},
  };
  const maxTimeMs = readDuration(args, 'max-time');
  return {
    started,
    launch: { program: thisProgram(), flags, command },
    ...readFile(args, profileName),
    jobs: readCount(args, 'jobs') ?? 1,
    stopOn: readStopOn(args),
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
    targets: readTargets(args),
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

/** Node as it was started (a loader may be among its flags), and this script. */
function thisProgram(): readonly string[] {
  return [process.execPath, ...process.execArgv, process.argv[1]!];
}
