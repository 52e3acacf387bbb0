/** The sweep as a script reads it: field names are a contract, as for a run. */
import type { SweepReport } from '../sweep/report.ts';
import { inertJson } from './inert.ts';
import type { Reporter } from './reporter.ts';

export const sweepJson: Reporter<SweepReport> = {
  name: 'json',
  summary: 'everything, for scripts',
  extension: 'json',
  render: (report) => `${inertJson(report, 2)}\n`,
};
