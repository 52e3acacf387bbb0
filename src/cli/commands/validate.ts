/** Checks a profile without running it. */
import { ChaosError } from '../../errors.ts';
import { plural } from '../../report/lines.ts';
import { loadProfile } from '../../runner/load-profile.ts';
import type { Command } from '../command.ts';
import { readText } from '../read.ts';

export const validate: Command = {
  command: 'validate <profile>',
  describe: 'check a profile: every problem, with its line',
  build: (yargs) =>
    (yargs.positional('profile', { type: 'string', describe: 'a name or a file' }) as typeof yargs).example(
      '$0 validate ./weather.yaml',
      'exits 64 and names every problem where there is one',
    ),
  async run(args) {
    const name = readText(args, 'profile');
    if (name === undefined) throw new ChaosError('usage', 'validate: expected a profile, found none');
    const profile = loadProfile(name);
    process.stdout.write(
      `${name} is valid: ${plural(profile.rules.length, 'rule')}, contract ${profile.contract}\n`,
    );
    return 0;
  },
};
