/** What weather there is. */

import { loadProfile, profileNames } from '../../runner/load-profile.ts';
import type { Command } from '../command.ts';
import { readSwitch } from '../read.ts';
import { table } from '../table.ts';

export const profiles: Command = {
  command: 'profiles',
  describe: 'the profiles that ship with mcp-chaos',
  build: (yargs) =>
    yargs
      .option('json', { type: 'boolean', describe: 'as JSON, rules included' })
      .example('$0 profiles --json', 'for scripts'),
  async run(args) {
    const all = profileNames().map((name) => ({ ...loadProfile(name), name }));
    process.stdout.write(
      readSwitch(args, 'json')
        ? `${JSON.stringify(all, null, 2)}\n`
        : table(
            ['profile', 'contract', 'rules', 'what it is'],
            all.map(({ name, contract, rules, description }) => [
              name,
              contract,
              String(rules.length),
              description,
            ]),
          ),
    );
    return 0;
  },
};
