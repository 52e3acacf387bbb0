/**
 * JUnit XML, as Jenkins, GitLab and the GitHub test reporters read it: one suite a fault, one case a
 * finding, and one suite for the run itself. It is valid under the schema of Jenkins' xUnit plugin
 * (junit-10.xsd), the strictest of those in use that knows output of a single case.
 *
 * A violated finding is a failure; what was not decided, not exercised or moot is skipped, never passed;
 * a fault of ours is an error.
 */
import type { Finding, Report } from '../watcher/report.ts';
import { inertXml } from './inert.ts';
import { exitMeaning, requestName, type Standing, standingOf } from './reading.ts';
import { defineReporter } from './reporter.ts';

interface Case {
  readonly className: string;
  readonly name: string;
  readonly seconds: number;
  readonly result: 'passed' | 'failed' | 'skipped' | 'error';
  readonly message: string;
  readonly details: readonly string[];
  /** What viewers show beside the case whatever became of it. */
  readonly output: readonly string[];
}

export const junit = defineReporter({
  name: 'junit',
  summary: 'JUnit XML for CI',
  extension: 'xml',
  render(report) {
    const suites = [
      suite('run', [runCase(report)], properties(report)),
      ...report.faults.map(({ fault }) => faultSuite(report, fault)),
      ...naturalFaults(report).map((fault) => faultSuite(report, fault)),
    ];
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mcp-chaos">\n${suites.join('')}</testsuites>\n`;
  },
});

/** Faults of findings that no rule armed: streams that broke by themselves. */
function naturalFaults(report: Report): readonly string[] {
  const armed = new Set(report.faults.map(({ fault }) => fault));
  return [...new Set(report.findings.map(({ fault }) => fault))].filter((fault) => !armed.has(fault));
}

function faultSuite(report: Report, fault: string): string {
  const findings = report.findings.filter((finding) => finding.fault === fault).map(findingCase);
  const unexercised: Case = {
    className: fault,
    name: 'is exercised',
    seconds: 0,
    result: 'skipped',
    message: 'the fault never reached the client',
    details: [],
    output: [],
  };
  return suite(fault, findings.length === 0 ? [unexercised] : findings, []);
}

function runCase(report: Report): Case {
  const base = {
    className: 'run',
    name: 'the run can be judged',
    seconds: (report.suite.durationMs ?? 0) / 1000,
    output: [],
  };
  const message = `exit ${report.exitCode}: ${exitMeaning(report)}`;
  if (report.void || [3, 64, 70].includes(report.exitCode))
    return { ...base, result: 'error', message, details: report.notes };
  if (report.exitCode === 2 || report.exitCode === 130)
    return { ...base, result: 'failed', message, details: report.notes };
  return { ...base, result: 'passed', message, details: [] };
}

const results: Readonly<Record<Standing, Case['result']>> = {
  violated: 'failed',
  unnoticed: 'failed',
  held: 'passed',
  undetermined: 'skipped',
  moot: 'skipped',
  'not-exercised': 'skipped',
};

function findingCase(finding: Finding): Case {
  return {
    className: `${finding.fault}.${finding.obligation}`,
    name: `${requestName(finding)} [${finding.id}]`,
    seconds: (finding.latencyMs ?? 0) / 1000,
    result: results[standingOf(finding)],
    message: `${finding.level} ${finding.obligation}: ${standingOf(finding)}, ${finding.outcome}`,
    details: [
      `shown: ${finding.message.shown}`,
      `did: ${finding.message.did}`,
      `evidence: facts ${finding.evidence.join(', ')}`,
    ],
    output: [`again: ${finding.reproduce}`],
  };
}

function properties(report: Report): readonly (readonly [name: string, value: string])[] {
  return [
    ['version', report.version],
    ['seed', report.seed],
    ['profile', report.profile],
    ['contract', report.contract],
    ['decisionsDigest', report.decisionsDigest],
  ];
}

function suite(name: string, cases: readonly Case[], props: readonly (readonly [string, string])[]): string {
  const count = (result: Case['result']): number => cases.filter((one) => one.result === result).length;
  const seconds = cases.reduce((sum, one) => sum + one.seconds, 0).toFixed(3);
  const lines = [
    `  <testsuite name="${inertXml(name)}" tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped')}" time="${seconds}">`,
    ...(props.length > 0
      ? [
          '    <properties>',
          ...props.map(
            ([key, value]) => `      <property name="${inertXml(key)}" value="${inertXml(value)}"/>`,
          ),
          '    </properties>',
        ]
      : []),
    ...cases.map(testCase),
    '  </testsuite>',
  ];
  return `${lines.join('\n')}\n`;
}

function testCase(one: Case): string {
  const open = `    <testcase classname="${inertXml(one.className)}" name="${inertXml(one.name)}" time="${one.seconds.toFixed(3)}"`;
  const inside = [...resultElement(one), ...outputElement(one)];
  return inside.length === 0
    ? `${open}/>`
    : `${open}>\n${inside.map((line) => `      ${line}`).join('\n')}\n    </testcase>`;
}

function resultElement({ result, className, message, details }: Case): readonly string[] {
  if (result === 'passed') return [];
  const element = { failed: 'failure', skipped: 'skipped', error: 'error' }[result];
  const attributes = `type="${inertXml(className)}" message="${inertXml(message)}"`;
  return [`<${element} ${attributes}>${details.map(inertXml).join('\n')}</${element}>`];
}

function outputElement({ output }: Case): readonly string[] {
  return output.length === 0 ? [] : [`<system-out>${output.map(inertXml).join('\n')}</system-out>`];
}
