/** Begins the page: of a stored run, the report first, so that there is something to read; of a running one, the feed. */
import { render } from 'preact';
import type { Fact } from '../history/fact.ts';
import type { LiveStart } from '../report/live-data.ts';
import type { PageData, SweepData } from '../report/page-data.ts';
import { type HistoryView, viewHistory } from '../report/picture/history-view.ts';
import { useChoice } from './address.ts';
import { embedded } from './embedded.ts';
import { inertData } from './inert-data.ts';
import { openFeed } from './live-feed.ts';
import { LivePage } from './live-page.tsx';
import { ReportPage } from './report-page.tsx';
import { SweepPage } from './sweep-page.tsx';

const root = document.getElementById('app')!;

async function begin(): Promise<unknown> {
  const start = await embedded<LiveStart>('live');
  if (start === undefined) return (await showSweep()) || showReport();
  root.replaceChildren();
  const feed = openFeed(start, (live) => {
    render(<LivePage start={start} live={live} send={feed.send} />, root);
    document.documentElement.dataset.ready = live.state;
  });
}

/** False where the page is not a sweep's. */
async function showSweep(): Promise<boolean> {
  const data = await embedded<SweepData>('sweep');
  if (data === undefined) return false;
  root.replaceChildren();
  render(<SweepPage data={inertData(data)} />, root);
  document.documentElement.dataset.ready = 'true';
  return true;
}

async function showReport(): Promise<void> {
  const data = await embedded<PageData>('report');
  if (data === undefined) throw new Error('there is no report in this page');
  const inert = inertData(data);
  root.replaceChildren();
  const show = (history: HistoryView | undefined): void =>
    render(<Stored data={inert} history={history} />, root);
  show(undefined);
  show(viewHistory((await embedded<readonly Fact[]>('history')) ?? []));
  document.documentElement.dataset.ready = 'true';
}

function Stored({ data, history }: { readonly data: PageData; readonly history: HistoryView | undefined }) {
  const [choice, choose] = useChoice();
  return (
    <ReportPage
      data={data}
      history={history}
      facts={history?.facts.length ?? 0}
      choice={choice}
      choose={choose}
    />
  );
}

begin().catch((error: Error) => {
  root.textContent = `This page could not be read: ${error.message}`;
});
