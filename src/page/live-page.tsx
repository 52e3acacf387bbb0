/** The report's page while the run goes on, with its streams on top. */
import type { FromPage, LiveStart } from '../report/live-data.ts';
import { useChoice } from './address.ts';
import type { LiveState } from './live-feed.ts';
import { LiveStreams } from './live-streams.tsx';
import { ReportPage } from './report-page.tsx';

interface Props {
  readonly start: LiveStart;
  readonly live: LiveState;
  send(message: FromPage): void;
}

const states = {
  connecting: 'connecting…',
  running: 'live',
  ended: 'the run has ended; this page keeps what it has',
  lost: 'the connection is lost; this page keeps what it has',
};

export function LivePage({ start, live, send }: Props) {
  const [choice, choose] = useChoice();
  const { data, history, facts, state } = live;
  return (
    <>
      <p role="status" class={`live ${state}`}>
        {states[state]}
        {state === 'running' && start.clients !== '' && (
          <>
            ; clients connect to <code>{start.clients}</code>
          </>
        )}
      </p>
      {data !== undefined && (
        <ReportPage
          data={data}
          history={history}
          facts={facts}
          live={state === 'running'}
          choice={choice}
          choose={choose}
        >
          <LiveStreams live={live} faults={start.faults} choice={choice} choose={choose} send={send} />
        </ReportPage>
      )}
    </>
  );
}
