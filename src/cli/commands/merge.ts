/** Puts the files of shards together: exact coverage, each way to fail once. */
import { sweepReporters } from '../../report/sweep-reporters.ts';
import { runsFolder } from '../../runner/sweep.ts';
import { readSweepFile } from '../../runner/sweep-file.ts';
import { fold } from '../../sweep/fold.ts';
import type { Command } from '../command.ts';
import { withOptions } from '../options.ts';
import { readTexts } from '../read.ts';
import { readTargetsOf } from '../report-targets.ts';
import { finishSweep } from '../sweep-finish.ts';

export const merge: Command = {
  command: 'merge <files...>',
  describe: 'put the files of a sweep together; with one file: its report again',
  build: (yargs) =>
    withOptions(
      yargs.positional('files', {
        type: 'string',
        array: true,
        describe: 'what sweep wrote (--result)',
      }) as typeof yargs,
      ['report'],
    )
      .example('$0 merge shard-*.ndjson', 'one summary of all shards; exits as one sweep would have')
      .example('$0 merge shard-*.ndjson --report json=sweep.json', 'the same for scripts')
      .example('$0 merge sweep.ndjson --report html=sweep.html', 'seeds and findings on one page'),
  async run(args) {
    const targets = readTargetsOf(readTexts(args, 'report'), sweepReporters);
    const files = readTexts(args, 'files');
    return finishSweep(fold(files.map(readSweepFile)), targets, [], files.map(runsFolder));
  },
};
