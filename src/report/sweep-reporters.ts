/** Every reporter of sweeps, in the order in which help lists them. */
import type { SweepReport } from '../sweep/report.ts';
import type { Reporter } from './reporter.ts';
import { sweepHtml } from './sweep-html.ts';
import { sweepJson } from './sweep-json.ts';
import { sweepTerminal } from './sweep-terminal.ts';

export const sweepReporters: readonly Reporter<SweepReport>[] = [sweepTerminal, sweepHtml, sweepJson];
