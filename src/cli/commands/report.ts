/** Renders a stored journal's report in other formats. Only rendering can fail, so it exits 0. */

import { judgeJournal } from '../../runner/judge-journal.ts';
import type { Command } from '../command.ts';
import { withJournal } from '../options.ts';
import { readPolicy } from '../policy.ts';
import { readText, readTexts } from '../read.ts';
import { readTargets, writeReports } from '../report-targets.ts';

export const report: Command = {
  command: 'report <journal>',
  describe: 'write reports of a stored journal; without --report the summary, on stdout',
  build: (yargs) =>
    withJournal(yargs)
      .example(
        '$0 report journal.ndjson --report junit=chaos.xml --report json',
        'two formats, one of them on stdout',
      )
      .example(
        '$0 report journal.ndjson --report html=report.html',
        'the picture of each finding, in one file',
      ),
  async run(args) {
    const asked = readTexts(args, 'report');
    const targets = readTargets(asked.length === 0 ? ['terminal'] : asked);
    const journal = readText(args, 'journal')!;
    writeReports(judgeJournal(journal, readPolicy(args)), targets, undefined, journal);
    return 0;
  },
};
