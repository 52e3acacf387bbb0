/** What one must know first, of a run as of a sweep: the verdict, and how much of what was broken was noticed. */
import { inertText } from '../report/inert.ts';
import type { Report } from '../watcher/report.ts';
import { Figure } from './figure.tsx';

interface Props {
  readonly report: Pick<Report, 'version' | 'profile' | 'contract' | 'exitCode' | 'coverage'>;
  /** Nothing is decided before the run has ended. */
  readonly live?: boolean;
  readonly title: string;
  /** Its seed, or its seeds. */
  readonly seeds: string;
  readonly startedAt?: string;
  readonly command: string;
  /** How the command ended. */
  readonly ended?: string;
  readonly counts: readonly string[];
  readonly notes: readonly string[];
}

export function Headline({
  report,
  live = false,
  title,
  seeds,
  startedAt = '',
  command,
  ended = '',
  counts,
  notes,
}: Props) {
  const { detection, falseAlarms, faults } = report.coverage;
  const tone = live ? 'running' : report.exitCode === 0 ? 'good' : 'bad';
  return (
    <header class={`headline ${tone}`}>
      <p class="eyebrow">
        <span>mcp-chaos {report.version}</span>
        <span>profile {report.profile}</span>
        <span>{seeds}</span>
        <span>ids {report.contract}</span>
        {startedAt !== '' && <span>{startedAt}</span>}
      </p>
      <h1>
        {title.charAt(0).toUpperCase() + title.slice(1)}
        {!live && <span class="exit">exit {report.exitCode}</span>}
      </h1>
      {command !== '' && (
        <p class="command">
          <code>{inertText(command)}</code>
          {ended !== '' && <span>{ended}</span>}
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
          {counts.map((count) => (
            <span key={count}>{count}</span>
          ))}
        </p>
      </div>
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </header>
  );
}
