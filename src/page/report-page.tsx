/** The page of a run: verdict, matrix, findings, journal. */

import type { ComponentChildren } from 'preact';
import type { PageData } from '../report/page-data.ts';
import type { HistoryView } from '../report/picture/history-view.ts';
import type { Choice } from './address.ts';
import { Findings } from './findings.tsx';
import { Journal } from './journal.tsx';
import { Matrix } from './matrix.tsx';
import { worstFirst } from './order.ts';
import { RunHeadline } from './run-headline.tsx';

interface Props {
  readonly data: PageData;
  readonly history: HistoryView | undefined;
  /** How many facts the history has; it grows in place. */
  readonly facts: number;
  readonly live?: boolean;
  readonly choice: Choice;
  choose(change: Choice): void;
  /** What comes before the matrix. */
  readonly children?: ComponentChildren;
}

export function ReportPage({ data, history, facts, live = false, choice, choose, children }: Props) {
  return (
    <>
      <RunHeadline data={data} history={history} live={live} />
      <main>
        {children}
        <Matrix
          data={data}
          choice={choice}
          onFollow={(fault, outcome) => {
            const [first] = worstFirst(data.report.findings).filter(
              (finding) => finding.fault === fault && finding.outcome === outcome,
            );
            choose({
              fault,
              outcome,
              finding: first?.id,
              verdict: undefined,
              level: undefined,
              scope: undefined,
              session: undefined,
              text: undefined,
            });
            const title = document.getElementById('findings-title');
            title?.scrollIntoView({ block: 'start' });
            title?.focus({ preventScroll: true });
          }}
        />
        <Findings data={data} history={history} facts={facts} choice={choice} choose={choose} />
        {history !== undefined && facts > 0 && (
          <Journal history={history} facts={facts} leftOut={data.leftOut ?? 0} />
        )}
      </main>
    </>
  );
}
