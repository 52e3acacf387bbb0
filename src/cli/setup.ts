/** From flags to what a run needs. Every mistake is found here, before anything starts. */
import { decisionsOf, profileOf } from '../cases/case.ts';
import { ChaosError } from '../errors.ts';
import { readCaseFile } from '../runner/case-files.ts';
import { loadProfile, profileNames } from '../runner/load-profile.ts';
import type { RunOptions } from '../runner/run.ts';
import type { Arguments } from './command.ts';
import { readPolicy } from './policy.ts';
import { readCount, readDuration, readListen, readSwitch, readText, readTexts, readUrl } from './read.ts';
import { type ReportTarget, readTargets, withGithub } from './report-targets.ts';
import { drawSeed, journalPathFor } from './run-folder.ts';

export interface Setup {
  readonly run: Omit<RunOptions, 'command'>;
  /** Run the command once beforehand to find `clientTimeoutMs`. */
  readonly measureTimeout: boolean;
  readonly targets: readonly ReportTarget[];
}

const defaults = { deadlineMs: 10_000, maxEvents: 10_000, maxBytes: 64 * 1024 * 1024 };

/** Flags that change what a run does, and so belong into the line that reproduces it. */
const reproducing = [
  'case',
  'upstream',
  'intercept',
  'upstream-cmd',
  'upstream-path',
  'url-last',
  'allow-remote',
  'deadline',
  'client-timeout',
  'store-events',
  'store-bytes',
] as const;

export function readSetup(args: Arguments): Setup {
  const weather = readWeather(args);
  const upstream = readUrl(args, 'upstream');
  const journalPath = readText(args, 'journal') ?? journalPathFor(weather.seed, new Date());
  const upstreamCommand = readUpstreamCommand(args, journalPath);
  const listen = readListen(args, 'listen');
  const only = readTexts(args, 'only');
  const clientTimeoutMs = readDuration(args, 'client-timeout');
  const policy = readPolicy(args);
  const measureTimeout = readSwitch(args, 'measure-timeout');
  if (measureTimeout && clientTimeoutMs !== undefined) {
    throw new ChaosError(
      'usage',
      '--measure-timeout and --client-timeout: expected one of them, found both',
      {
        hint: 'Say the timeout, or have it measured.',
      },
    );
  }
  const run: Setup['run'] = {
    ...weather,
    ...(upstream === undefined ? {} : { upstream }),
    ...(upstreamCommand === undefined ? {} : { upstreamCommand }),
    ...(listen === undefined ? {} : { listen }),
    ...(only.length === 0 ? {} : { only }),
    ...(clientTimeoutMs === undefined ? {} : { clientTimeoutMs }),
    intercept: args.intercept !== false,
    urlLast: readSwitch(args, 'url-last'),
    allowRemote: readSwitch(args, 'allow-remote'),
    store: {
      maxEvents: readCount(args, 'store-events') ?? defaults.maxEvents,
      maxBytes: readCount(args, 'store-bytes') ?? defaults.maxBytes,
    },
    deadlineMs: readDuration(args, 'deadline') ?? defaults.deadlineMs,
    redact: readSwitch(args, 'redact'),
    ...(readSwitch(args, 'ui') ? { byHand: true } : {}),
    flags: reproducing.flatMap((name) => flagWords(args, name)),
    ...(policy === undefined ? {} : { policy }),
    journalPath,
  };
  return { run, measureTimeout, targets: withGithub(readTargets(readTexts(args, 'report'))) };
}

/** Its output is kept beside the journal, under the journal's name. */
function readUpstreamCommand(args: Arguments, journalPath: string): Setup['run']['upstreamCommand'] {
  const line = readText(args, 'upstream-cmd');
  const path = readText(args, 'upstream-path');
  if (line === undefined && path !== undefined) {
    throw new ChaosError('usage', '--upstream-path: expected --upstream-cmd with it, found none', {
      hint: 'For a server that is already there, give the whole address: --upstream http://127.0.0.1:3000/mcp.',
    });
  }
  if (path !== undefined && !path.startsWith('/')) {
    throw new ChaosError('usage', `--upstream-path: expected a path such as /mcp, found "${path}"`);
  }
  if (line === undefined) return undefined;
  if (readUrl(args, 'upstream')?.protocol === 'https:') {
    throw new ChaosError(
      'usage',
      '--upstream: expected http for a server that --upstream-cmd starts, found https',
    );
  }
  const logPath = `${journalPath.replace(/\.ndjson$/, '')}.upstream.log`;
  return { line, path: path ?? '/mcp', logPath };
}

type Weather = Pick<RunOptions, 'profile' | 'profileName' | 'seed' | 'decisions'>;

/** From a profile and a seed, or from a case, which has the decisions that these led to. */
function readWeather(args: Arguments): Weather {
  const file = readText(args, 'case');
  if (file === undefined) {
    const profileName = readProfileName(args);
    return { profile: loadProfile(profileName), profileName, seed: readText(args, 'seed') ?? drawSeed() };
  }
  for (const other of ['profile', 'seed']) {
    if (args[other] === undefined) continue;
    throw new ChaosError('usage', `--case and --${other}: expected one of them, found both`, {
      hint: 'A case has its own decisions: nothing is drawn.',
    });
  }
  const recorded = readCaseFile(file);
  return {
    profile: profileOf(recorded),
    profileName: recorded.profile,
    seed: recorded.seed,
    decisions: decisionsOf(recorded),
  };
}

export function readProfileName(args: Arguments): string {
  const name = readText(args, 'profile');
  if (name !== undefined) return name;
  throw new ChaosError('usage', '--profile: expected a name or a file, found none', {
    hint: `Profiles: ${profileNames().join(', ')}. What they do: mcp-chaos profiles.`,
  });
}

/** The flag as it was given, to give it on. */
export function flagWords(args: Arguments, name: string): readonly string[] {
  const value = args[name];
  if (value === undefined) return [];
  if (value === false) return [`--no-${name}`];
  if (value === true) return [`--${name}`];
  return [value].flat().flatMap((one) => [`--${name}`, String(one)]);
}
