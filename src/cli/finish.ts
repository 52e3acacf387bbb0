/** The end of a run: the summary for people, the reports that were asked for, the exit code. */
import { terminal } from '../report/terminal.ts';
import type { RunResult } from '../runner/run.ts';
import { type ReportTarget, writeReports } from './report-targets.ts';
import { say, sayError, wantsColour } from './say.ts';

/** `folder` is where reports without a path go; undefined = stdout. */
export function finish(
  result: RunResult,
  targets: readonly ReportTarget[],
  folder: string | undefined,
): number {
  const { report, journalPath, error } = result;
  // Where nothing ever ran, the mistake is the whole story.
  if (error === undefined || report.traffic.requests > 0) {
    say('');
    process.stderr.write(terminal.render(report, { colour: wantsColour(process.stderr) }));
    say('');
  }
  writeReports(report, targets, folder, journalPath);
  if (error !== undefined) return sayError(error, journalPath);
  say(`journal ${journalPath}   (again: mcp-chaos check ${journalPath})`);
  return report.exitCode;
}
