/** Judges a stored journal again: the same report, byte for byte, or that of a newer judge. */

import { terminal } from '../../report/terminal.ts';
import { judgeJournal } from '../../runner/judge-journal.ts';
import type { Command } from '../command.ts';
import { withJournal } from '../options.ts';
import { readPolicy } from '../policy.ts';
import { readText, readTexts } from '../read.ts';
import { readTargets, writeReports } from '../report-targets.ts';
import { wantsColour } from '../say.ts';

export const check: Command = {
  command: 'check <journal>',
  describe: 'judge a stored journal again, offline; exits as the run did',
  build: (yargs) =>
    withJournal(yargs)
      .example('$0 check .mcp-chaos/runs/<run>/journal.ndjson', 'the summary again')
      .example('$0 check journal.ndjson --report json=report.json', 'the very report of the run'),
  async run(args) {
    const targets = readTargets(readTexts(args, 'report'));
    const journal = readText(args, 'journal')!;
    const report = judgeJournal(journal, readPolicy(args));
    const usesStdout = targets.some(({ path }) => path === undefined || path === '-');
    const screen = usesStdout ? process.stderr : process.stdout;
    screen.write(terminal.render(report, { colour: wantsColour(screen) }));
    writeReports(report, targets, undefined, journal);
    return report.exitCode;
  },
};
