/** The list of findings with its filters, and beside it the one that is chosen. */
import { useEffect, useMemo } from 'preact/hooks';
import type { PageData } from '../report/page-data.ts';
import type { HistoryView } from '../report/picture/history-view.ts';
import { type Standing, standingOf } from '../report/reading.ts';
import type { Finding } from '../watcher/report.ts';
import type { Choice } from './address.ts';
import { FindingView } from './finding.tsx';
import { filters, passes, worstFirst } from './order.ts';
import { VirtualList } from './virtual-list.tsx';

interface Props {
  readonly data: PageData;
  readonly history: HistoryView | undefined;
  readonly facts: number;
  readonly choice: Choice;
  choose(change: Choice): void;
}

export function Findings({ data, history, facts, choice, choose }: Props) {
  const sorted = useMemo(() => worstFirst(data.report.findings), [data]);
  const shown = useMemo(() => sorted.filter((finding) => passes(finding, choice)), [sorted, choice]);
  const chosen = shown.findIndex(({ id }) => id === choice.finding);
  const active = chosen < 0 && shown.length > 0 ? 0 : chosen;
  const finding = shown[active];

  // The list takes what it needs, up to a part of the window; the rest scrolls.
  useEffect(() => {
    document.documentElement.style.setProperty('--found', String(shown.length));
  }, [shown.length]);

  return (
    <section class="findings" aria-labelledby="findings-title">
      <h2 id="findings-title" tabIndex={-1}>
        Findings <span class="count">{countInWords(shown.length, sorted.length)}</span>
      </h2>
      {sorted.length > 0 && <Filters findings={sorted} choice={choice} choose={choose} />}
      {shown.length === 0 ? (
        <p class="hint">{sorted.length === 0 ? 'Nothing was found.' : 'No finding passes these filters.'}</p>
      ) : (
        <div class="panes">
          <VirtualList
            id="finding"
            label="Findings, worst first"
            count={shown.length}
            rowHeight={62}
            active={active}
            onActive={(index) => choose({ finding: shown[index]!.id })}
            rowClass={(index) => standingOf(shown[index]!)}
            row={(index) => <Row finding={shown[index]!} />}
          />
          {finding !== undefined && (
            <FindingView finding={finding} data={data} history={history} facts={facts} />
          )}
        </div>
      )}
    </section>
  );
}

const marks: Readonly<Record<Standing, string>> = {
  violated: '✗',
  unnoticed: '✗',
  held: '✓',
  undetermined: '?',
  moot: '–',
  'not-exercised': '–',
};

function Row({ finding }: { readonly finding: Finding }) {
  const { request, level, obligation, scope } = finding;
  const of =
    request === null
      ? 'no single request'
      : `${request.tool ?? request.method}${request.id === null ? '' : ` · id ${request.id}`}`;
  return (
    <>
      <span class="mark" aria-hidden="true">
        {marks[standingOf(finding)]}
      </span>
      <span class="sr">{standingOf(finding)}: </span>
      <span class="what">
        <b>{finding.fault}</b> {finding.outcome}
      </span>
      <span class="where">{`${of}${scope === 'main' ? '' : ` · ${scope}`}`}</span>
      <span class="duty">
        {level} {obligation}
      </span>
    </>
  );
}

function Filters({
  findings,
  choice,
  choose,
}: {
  readonly findings: readonly Finding[];
  readonly choice: Choice;
  choose(change: Choice): void;
}) {
  const values = useMemo(
    () => filters.map((filter) => ({ ...filter, values: [...new Set(findings.map(filter.of))].sort() })),
    [findings],
  );
  const set = filters.some(({ key }) => choice[key] !== undefined) || (choice.text ?? '') !== '';
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {values
        .filter(({ values: all, key }) => all.length > 1 || choice[key] !== undefined)
        .map(({ key, label, values: all }) => (
          <label key={key}>
            <span>{label}</span>
            <select
              value={choice[key] ?? ''}
              onChange={(event) => choose({ [key]: event.currentTarget.value || undefined })}
            >
              <option value="">all</option>
              {all.map((value) => (
                <option key={value} value={value}>
                  {value}
                </option>
              ))}
            </select>
          </label>
        ))}
      <label>
        <span>Text</span>
        <input
          type="search"
          value={choice.text ?? ''}
          onInput={(event) => choose({ text: event.currentTarget.value || undefined })}
        />
      </label>
      {set && (
        <button
          type="button"
          onClick={() =>
            choose({ ...Object.fromEntries(filters.map(({ key }) => [key, undefined])), text: undefined })
          }
        >
          Clear
        </button>
      )}
    </form>
  );
}

function countInWords(shown: number, all: number): string {
  return shown === all ? String(all) : `${shown} of ${all}`;
}
