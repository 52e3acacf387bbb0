/** How commands that make many runs carry out each of them: this very program, with the flags that are a run's own. */
import { fileURLToPath } from 'node:url';
import type { Launch } from '../runner/apart.ts';
import { createWorkers, type Workers } from '../runner/workers.ts';
import type { Arguments } from './command.ts';
import { type OptionName, policyOptions, runOptions } from './options.ts';
import { readCommand } from './read.ts';
import { flagWords } from './setup.ts';

/** What is said to each run by whoever makes it, or is judged over all of them. */
const ownOptions: readonly OptionName[] = [
  'profile',
  'seed',
  'only',
  'case',
  'listen',
  'ui',
  'measure-timeout',
  'check-determinism',
  ...policyOptions,
  'report',
  'journal',
];

/** Flags that are given on as they are. */
export const passedOn: readonly OptionName[] = runOptions.filter((name) => !ownOptions.includes(name));

export function readLaunch(args: Arguments): Launch {
  return {
    workers: workersOfThisProgram(),
    flags: passedOn.flatMap((name) => flagWords(args, name)),
    command: readCommand(args),
  };
}

/** Node as it was started: a loader may be among its flags. */
export function workersOfThisProgram(): Workers {
  const script = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  return createWorkers([process.execPath, ...process.execArgv, fileURLToPath(script)]);
}
