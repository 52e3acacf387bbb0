import type { SweepReport } from '../sweep/report.ts';
import { plural } from './lines.ts';

/** What the exit code of a sweep says, in one sentence. */
export function sweepMeaning({ exitCode, findings }: SweepReport): string {
  switch (exitCode) {
    case 0:
      return 'every detectable desync was detected, every control survived';
    case 1:
      return `${plural(findings.filter(({ fails }) => fails).length, 'way')} to fail`;
    case 2:
      return 'the profile was not exercised';
    case 3:
      return 'void or not whole: the numbers cannot be trusted, see the notes';
    case 64:
      return 'the sweep could not be carried out, see the notes';
    case 70:
      return 'an internal error of mcp-chaos ended the sweep';
    case 130:
      return 'interrupted; go on with --resume';
    default:
      return 'see the notes';
  }
}
