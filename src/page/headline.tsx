/** What one must know first: the verdict, and how much of what was broken was noticed. */

import { inertText } from '../report/inert.ts';
import { plural } from '../report/lines.ts';
import type { PageData } from '../report/page-data.ts';
import type { HistoryView } from '../report/picture/history-view.ts';
import { durationInWords } from '../report/picture/words.ts';
import type { Report } from '../watcher/report.ts';
import { Figure } from './figure.tsx';

export function Headline({
  data,
  history,
  live,
}: {
  readonly data: PageData;
  readonly history: HistoryView | undefined;
  readonly live: boolean;
}) {
  const { report, meaning } = data;
  const { detection, falseAlarms, faults } = report.coverage;
  const { suite, traffic } = report;
  const command = history?.started?.command.join(' ');
  const tone = live ? 'running' : report.exitCode === 0 ? 'good' : 'bad';
  const title = live ? 'The run goes on' : (missed(report) ?? meaning);
  return (
    <header class={`headline ${tone}`}>
      <p class="eyebrow">
        <span>mcp-chaos {report.version}</span>
        <span>profile {report.profile}</span>
        <span>seed {report.seed}</span>
        <span>ids {report.contract}</span>
        {history?.started !== undefined && <span>{startedInWords(history.started.startedAt)}</span>}
      </p>
      <h1>
        {title.charAt(0).toUpperCase() + title.slice(1)}
        {!live && <span class="exit">exit {report.exitCode}</span>}
      </h1>
      {command !== undefined && command !== '' && (
        <p class="command">
          <code>{inertText(command)}</code>
          {!live && <span>{endInWords(suite)}</span>}
        </p>
      )}
      <div class="figures">
        <Figure
          name="Detected"
          part={detection.detected}
          total={detection.total}
          of="detectable desyncs"
          tone={detection.detected === detection.total ? 'good' : 'bad'}
        />
        <Figure
          name="False alarms"
          part={falseAlarms.count}
          total={falseAlarms.total}
          of="controls"
          tone={falseAlarms.count === 0 ? 'good' : 'bad'}
        />
        <Figure name="Applied" part={faults.applied} total={faults.armed} of="armed faults" tone="chaos" />
        <p class="traffic">
          <span>{plural(traffic.requests, 'request')}</span>
          <span>{plural(traffic.sessions, 'session')}</span>
          <span>{plural(traffic.streams, 'stream')}</span>
        </p>
      </div>
      {[
        ...report.notes,
        ...traffic.outside.map(({ what, count }) => `${count} requests outside the profile: ${what}`),
      ].map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </header>
  );
}

/** What went wrong, in figures; undefined where it is something else that the exit code tells. */
function missed({ exitCode, coverage }: Report): string | undefined {
  if (exitCode !== 1) return undefined;
  const { detection, falseAlarms } = coverage;
  const undetected = detection.total - detection.detected;
  const parts = [
    ...(undetected > 0
      ? [
          `${undetected === detection.total ? 'none' : detection.detected} of ${plural(detection.total, 'desync')} noticed`,
        ]
      : []),
    ...(falseAlarms.count > 0
      ? [`${falseAlarms.count} of ${plural(falseAlarms.total, 'harmless break')} did harm`]
      : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', and ');
}

function endInWords({ code, signal, durationMs }: PageData['report']['suite']): string {
  const how = signal !== null ? `ended by ${signal}` : code === null ? '' : `exited with ${code}`;
  return durationMs === null || how === '' ? how : `${how} after ${durationInWords(durationMs)}`;
}

function startedInWords(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
