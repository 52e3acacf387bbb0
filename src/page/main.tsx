/** Begins the page: the report first, so that there is something to read, then the history. */
import { render } from 'preact';
import type { Fact } from '../history/fact.ts';
import type { PageData } from '../report/page-data.ts';
import { type HistoryView, viewHistory } from '../report/picture/history-view.ts';
import { embedded } from './embedded.ts';
import { ReportPage } from './report-page.tsx';

const root = document.getElementById('app')!;

async function showReport(): Promise<void> {
  const data = await embedded<PageData>('report');
  if (data === undefined) throw new Error('there is no report in this page');
  root.replaceChildren();
  const show = (history: HistoryView | undefined): void =>
    render(<ReportPage data={data} history={history} facts={history?.facts.length ?? 0} />, root);
  show(undefined);
  show(viewHistory((await embedded<readonly Fact[]>('history')) ?? []));
  document.documentElement.dataset.ready = 'true';
}

showReport().catch((error: Error) => {
  root.textContent = `This page could not be read: ${error.message}`;
});
