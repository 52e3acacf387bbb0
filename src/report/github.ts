/**
 * GitHub Actions: annotations as workflow commands, and a step summary in Markdown.
 *
 * Nothing from the wire may become a command of its own: `::` counts only at the start of a line, and
 * every value is one line.
 */
import { detectedOutcomes, type FaultRow, type Finding, type Report } from '../watcher/report.ts';
import { inertCode, inertCommandData, inertCommandProperty, inertText } from './inert.ts';
import { countOf, exitMeaning, failures, ratio, requestName, undecided, worstFirst } from './reading.ts';
import { defineReporter } from './reporter.ts';

export const github = defineReporter({
  name: 'github',
  summary: 'annotations and a step summary for GitHub Actions',
  extension: 'md',
  render: (report) => annotations(report),
});

function annotations(report: Report): string {
  const lines = failures(report).map((finding) => {
    const kind = finding.level === 'ADVICE' || finding.level === 'SHOULD' ? 'warning' : 'error';
    const title = `${finding.fault}: ${finding.outcome}`;
    const message = `${requestName(finding)}. Shown: ${finding.message.shown} Did: ${finding.message.did} Again: ${finding.reproduce}`;
    return command(kind, title, message);
  });
  const end = `${exitMeaning(report)}; detected ${ratio(report.coverage.detection.detected, report.coverage.detection.total)}`;
  lines.push(command(report.exitCode === 0 ? 'notice' : 'error', `mcp-chaos exit ${report.exitCode}`, end));
  return `${lines.join('\n')}\n`;
}

function command(kind: 'error' | 'warning' | 'notice', title: string, message: string): string {
  return `::${kind} title=${inertCommandProperty(title)}::${inertCommandData(message)}`;
}

/** What is appended to the file that `GITHUB_STEP_SUMMARY` names. */
export function stepSummary(report: Report): string {
  const { detection, falseAlarms } = report.coverage;
  const lines = [
    `## mcp-chaos: ${exitMeaning(report)}`,
    '',
    `profile ${inertCode(report.profile)}, seed ${inertCode(report.seed)}, exit ${report.exitCode}; detected ${ratio(detection.detected, detection.total)}, false alarms ${ratio(falseAlarms.count, falseAlarms.total)}`,
    '',
    '| fault | armed | applied | detected | timed-out | stuck | hung | accepted | overreacted | crashed | undetermined | undetectable |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...worstFirst(report.faults).map(row),
    '',
    ...failures(report).flatMap(details),
    ...undecided(report).map(
      (finding) =>
        `- undetermined: ${inertCode(`${finding.fault}, ${requestName(finding)}: ${finding.message.did}`)}`,
    ),
    ...report.notes.map((note) => `- ${inertCode(note)}`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function row(fault: FaultRow): string {
  const cells = [
    fault.armed,
    fault.applied,
    countOf(fault, detectedOutcomes),
    ...(['timed-out', 'stuck', 'hung', 'accepted', 'overreacted', 'crashed', 'undetermined'] as const).map(
      (outcome) => countOf(fault, [outcome]),
    ),
    fault.undetectable,
  ];
  return `| ${inertCode(fault.fault)}${fault.control ? ' (control)' : ''} | ${cells.join(' | ')} |`;
}

function details(finding: Finding): readonly string[] {
  return [
    `**${finding.fault.replace(/[^\w:-]/g, '?')}: ${finding.outcome}** (${finding.level} ${inertCode(finding.obligation)}, ${inertCode(requestName(finding))})`,
    `- shown: ${inertCode(finding.message.shown)}`,
    `- did: ${inertCode(finding.message.did)}`,
    '',
    `      ${inertText(finding.reproduce)}`,
    '',
  ];
}
