/** The end of a sweep: the summary, the reports that were asked for, the exit code. */
import { sweepTerminal } from '../report/sweep-terminal.ts';
import type { SweepReport } from '../sweep/report.ts';
import { type ReportTarget, writeSweepReports } from './report-targets.ts';
import { say, wantsColour } from './say.ts';

export function finishSweep(
  report: SweepReport,
  targets: readonly ReportTarget<SweepReport>[],
  where: readonly string[],
  /** Where its runs left their journals. */
  folders: readonly string[],
): number {
  const usesStdout = targets.some(({ path }) => path === undefined || path === '-');
  const screen = usesStdout ? process.stderr : process.stdout;
  screen.write(sweepTerminal.render(report, { colour: wantsColour(screen) }));
  writeSweepReports(report, targets, folders);
  for (const line of where) say(line);
  return report.exitCode;
}
