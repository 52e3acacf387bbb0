/** What a seed would do to traffic that is on record, before anything runs. */

import { ChaosError } from '../../errors.ts';
import { plural } from '../../report/lines.ts';
import { readJournal } from '../../runner/judge-journal.ts';
import { loadProfile } from '../../runner/load-profile.ts';
import { arm } from '../../schedule/arm.ts';
import { explain as explainTraffic, type SeenCall } from '../../schedule/explain.ts';
import { callLine } from '../call-line.ts';
import type { Command } from '../command.ts';
import { withOptions } from '../options.ts';
import { readText } from '../read.ts';
import { readProfileName } from '../setup.ts';

export const explain: Command = {
  command: 'explain <seed>',
  describe: 'what a seed would do to the traffic of a journal, before running anything',
  build: (yargs) =>
    withOptions(
      yargs.positional('seed', { type: 'string', describe: 'the seed' }).option('journal', {
        type: 'string',
        requiresArg: true,
        describe: '<file>  the traffic: the journal of a run',
      }) as typeof yargs,
      ['profile'],
    ).example(
      '$0 explain 42 --profile desync --journal calm.ndjson',
      'the journal of a calm run shows what the suite sends by itself',
    ),
  async run(args) {
    const profile = loadProfile(readProfileName(args));
    const seed = readText(args, 'seed')!;
    const path = readText(args, 'journal');
    if (path === undefined) {
      throw new ChaosError('usage', '--journal: expected the journal of a run, found none', {
        hint: 'A run under calm leaves one: mcp-chaos --profile calm --journal calm.ndjson -- npm test',
      });
    }
    const { facts } = readJournal(path);
    if (facts.length === 0) throw new ChaosError('usage', `${path} is no journal: it holds no fact`);
    const calls = explainTraffic(facts, profile.contract, (subject) => arm(profile, seed, subject));
    const struck = calls.filter(({ decision }) => decision !== undefined);
    process.stdout.write(struck.map((call) => `${callLine(call)}\n`).join(''));
    process.stdout.write(`${summary(calls, struck)}\n`);
    return 0;
  },
};

function summary(calls: readonly SeenCall[], struck: readonly SeenCall[]): string {
  return `decided for ${struck.length} of ${plural(calls.length, 'call')}; what a client does about one changes what it sends after it`;
}
