/** What the summaries of a run and of a sweep have in common: both are for people, in 80 columns. */
import type { Finding, Report } from '../watcher/report.ts';
import { inertText } from './inert.ts';
import { wrap } from './lines.ts';
import type { Paint } from './paint.ts';
import { ratio } from './reading.ts';

/** Sections with an empty line between; one without lines is left out. */
export function summary(sections: readonly (readonly string[])[]): string {
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** `seed` is already coloured and inert. */
export function titleLine(
  { version, profile, contract }: Pick<Report, 'version' | 'profile' | 'contract'>,
  seed: string,
  colours: Paint,
): string {
  return `${colours.bold(`mcp-chaos ${inertText(version)}`)}  profile ${inertText(profile)}  ${seed}  contract ${contract}`;
}

export function coverageLines({ detection, falseAlarms, faults }: Report['coverage']): readonly string[] {
  return [
    `detected      ${ratio(detection.detected, detection.total)} detectable desyncs`,
    `false alarms  ${ratio(falseAlarms.count, falseAlarms.total)} controls`,
    `exercised     ${ratio(faults.applied, faults.armed)} armed faults were applied`,
  ];
}

/** What the client was shown, what it did, and the line that shows it again. `mark` is already coloured. */
export function failureLines(
  mark: string,
  title: string,
  where: string,
  { message, reproduce }: Finding,
  colours: Paint,
  seeds: readonly string[] = [],
): readonly string[] {
  return [
    mark + colours.bold(wrap(inertText(title), '✗ ').slice(1)),
    wrap(inertText(`${where}: ${message.shown}`), '  shown  '),
    wrap(inertText(message.did), '  did    '),
    ...seeds,
    // Never wrapped: this line is for pasting.
    `  again  ${inertText(reproduce)}`,
  ];
}

/** Coloured after wrapping: escape sequences have no width. */
export function bullet(mark: string, text: string, colours: Paint): string {
  return colours.yellow(mark) + wrap(inertText(text), `${mark} `).slice(mark.length);
}

export function exitLine(exitCode: number, meaning: string, colours: Paint): string {
  const tone = exitCode === 0 ? colours.green : colours.red;
  return `${tone(`exit ${exitCode}`)}: ${meaning}`;
}
