/** One finding: what it says, the picture, by whose word, how to see it again, and the bytes. */
import { useMemo, useState } from 'preact/hooks';
import type { PageWords } from '../report/page-data.ts';
import type { HistoryView } from '../report/picture/history-view.ts';
import { pictureOf } from '../report/picture/picture.ts';
import { durationInWords } from '../report/picture/words.ts';
import { standingOf } from '../report/reading.ts';
import type { Finding } from '../watcher/report.ts';
import { Diagram } from './diagram.tsx';
import { Raw } from './raw.tsx';

interface Props {
  readonly finding: Finding;
  readonly data: PageWords;
  /** Undefined while it is being read; without facts where there is none. */
  readonly history: HistoryView | undefined;
  /** Rises with every fact of a running run, so that the picture is drawn anew. */
  readonly facts: number;
}

export function FindingView({ finding, data, history, facts }: Props) {
  const picture = useMemo(
    () => (history === undefined ? undefined : pictureOf(history, finding)),
    [history, finding, facts],
  );
  const clause = data.clauses[finding.obligation];
  const fault = data.faults[finding.fault];
  return (
    <article class="finding" aria-labelledby="finding-title">
      <header>
        <p class="eyebrow">
          <span class={`verdict ${standingOf(finding)}`}>{verdictInWords(finding)}</span>
          <span>{finding.level}</span>
          <span>{finding.obligation}</span>
          {finding.confidence === 'inferred' && <span>inferred</span>}
        </p>
        <h2 id="finding-title" tabIndex={-1}>
          {finding.fault} <span class="outcome">{finding.outcome}</span>
        </h2>
        <p class="of">{ofWhat(finding)}</p>
      </header>
      <dl class="said">
        <dt>Shown</dt>
        <dd>{finding.message.shown}</dd>
        <dt>Did</dt>
        <dd>{finding.message.did}</dd>
      </dl>
      {picture === undefined ? (
        <p class="hint">Reading the journal…</p>
      ) : picture.steps.length === 0 ? (
        <p class="hint">The journal of this run is not in the page, and so there is no picture.</p>
      ) : (
        <Diagram
          key={finding.id}
          picture={picture}
          label={`What happened, in time: ${finding.fault}, ${finding.outcome}`}
        />
      )}
      <Again line={finding.reproduce} />
      <section class="columns">
        {clause !== undefined && (
          <div>
            <h3>Judged by</h3>
            <blockquote>{clause.statement}</blockquote>
            <p class="source">
              {finding.level}:{' '}
              {clause.url === undefined ? (
                clause.clause
              ) : (
                <a href={clause.url} rel="noreferrer">
                  {clause.clause}
                </a>
              )}
            </p>
          </div>
        )}
        {fault !== undefined && (
          <div>
            <h3>The fault</h3>
            <p>{fault.summary}</p>
            <p class="source">Imitates {fault.imitates}.</p>
          </div>
        )}
      </section>
      {history !== undefined && finding.evidence.length > 0 && (
        <Evidence finding={finding} history={history} />
      )}
    </article>
  );
}

function verdictInWords(finding: Finding): string {
  const standing = standingOf(finding);
  return [standing === 'unnoticed' ? 'unnoticed, its duty held' : standing, ...finding.flags].join(', ');
}

function ofWhat({ request, scope, session, revision, upstream, latencyMs, id, decision }: Finding): string {
  const name =
    request === null
      ? 'no single request'
      : `${request.method}${request.tool === null ? '' : ` ${request.tool}`}${request.id === null ? '' : `, id ${request.id}`}`;
  return [
    name,
    `scope ${scope}`,
    session === null ? 'no session' : `session ${session}`,
    upstream,
    revision ?? '',
    latencyMs === null ? '' : `acted after ${durationInWords(latencyMs)}`,
    `finding ${id}`,
    decision === null ? '' : `decision ${decision}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function Again({ line }: { readonly line: string }) {
  const [said, setSaid] = useState('');
  if (line === '') return null;
  const copy = async (): Promise<void> => {
    const copied = await copyText(line);
    setSaid(copied ? 'Copied' : 'Select and copy the line by hand');
    setTimeout(() => setSaid(''), 2500);
  };
  return (
    <section class="again">
      <h3>See it again</h3>
      <div class="copy">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that. */}
        <code tabIndex={0}>{line}</code>
        <button type="button" onClick={() => void copy()}>
          Copy
        </button>
      </div>
      <p role="status" class="status">
        {said}
      </p>
    </section>
  );
}

/** The clipboard is closed to pages in some frames (CI artifact viewers); the old way works there. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    return copied;
  }
}

function Evidence({ finding, history }: { readonly finding: Finding; readonly history: HistoryView }) {
  const facts = finding.evidence.flatMap((seq) => history.fact(seq) ?? []);
  return (
    <details class="evidence-facts">
      <summary>
        Evidence: {facts.length === 1 ? '1 fact' : `${facts.length} facts`} of the journal, as recorded
      </summary>
      {facts.map((fact) => (
        <Raw key={fact.seq} title={`${fact.seq} ${fact.kind}`} text={JSON.stringify(fact, null, 2)} />
      ))}
    </details>
  );
}
