/** The headline of a run, finished or going on. */
import { plural } from '../report/lines.ts';
import type { PageData } from '../report/page-data.ts';
import type { HistoryView } from '../report/picture/history-view.ts';
import { durationInWords } from '../report/picture/words.ts';
import { notesOf } from '../report/reading.ts';
import type { Report } from '../watcher/report.ts';
import { Headline } from './headline.tsx';

interface Props {
  readonly data: PageData;
  readonly history: HistoryView | undefined;
  readonly live: boolean;
}

export function RunHeadline({ data: { report, meaning }, history, live }: Props) {
  const { traffic } = report;
  return (
    <Headline
      report={report}
      live={live}
      title={live ? 'The run goes on' : (missed(report) ?? meaning)}
      seeds={`seed ${report.seed}`}
      startedAt={startedInWords(history?.started?.startedAt)}
      command={history?.started?.command.join(' ') ?? ''}
      ended={live ? '' : endInWords(report.suite)}
      counts={[
        plural(traffic.requests, 'request'),
        plural(traffic.sessions, 'session'),
        plural(traffic.streams, 'stream'),
      ]}
      notes={notesOf(report)}
    />
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

function endInWords({ code, signal, durationMs }: Report['suite']): string {
  const how = signal !== null ? `ended by ${signal}` : code === null ? '' : `exited with ${code}`;
  return durationMs === null || how === '' ? how : `${how} after ${durationInWords(durationMs)}`;
}

function startedInWords(iso = ''): string {
  return Number.isNaN(Date.parse(iso)) ? '' : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}
