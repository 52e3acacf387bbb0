/** The streams of a run that goes on, newest first; the chosen one as it grows, and what can be injected into it. */
import { useMemo, useState } from 'preact/hooks';
import { inertText } from '../report/inert.ts';
import type { FaultChoice, FromPage } from '../report/live-data.ts';
import type { HistoryView } from '../report/picture/history-view.ts';
import { pictureOfExchanges } from '../report/picture/picture.ts';
import { type StreamState, streamState } from '../report/picture/stream-state.ts';
import { idsInWords } from '../report/picture/words.ts';
import type { Choice } from './address.ts';
import { Diagram } from './diagram.tsx';
import type { LiveState } from './live-feed.ts';
import { VirtualList } from './virtual-list.tsx';

interface Props {
  readonly live: LiveState;
  readonly faults: readonly FaultChoice[];
  readonly choice: Choice;
  choose(change: Choice): void;
  send(message: FromPage): void;
}

export function LiveStreams({ live, faults, choice, choose, send }: Props) {
  const { history, facts } = live;
  const streams = useMemo(() => [...history.streams()].reverse(), [history, facts]);
  const chosen = streams.indexOf(choice.stream ?? '');
  const active = chosen < 0 ? (streams.length > 0 ? 0 : -1) : chosen;
  const stream = streams[active];
  return (
    <section class="streams" aria-labelledby="streams-title">
      <h2 id="streams-title">
        Streams <span class="count">{streams.length}</span>
      </h2>
      {stream === undefined ? (
        <p class="hint">No stream yet. They appear here as soon as a client opens one.</p>
      ) : (
        <div class="panes">
          <VirtualList
            id="stream"
            label="Streams, newest first"
            count={streams.length}
            rowHeight={48}
            active={active}
            onActive={(index) => choose({ stream: streams[index] })}
            row={(index) => <Row state={streamState(history, streams[index]!)} />}
          />
          <Stream
            key={stream}
            id={stream}
            history={history}
            facts={facts}
            faults={faults}
            send={send}
            live={live}
          />
        </div>
      )}
    </section>
  );
}

function Row({ state }: { readonly state: StreamState }) {
  const { title, scope, now, lastId, resumed, fault } = state;
  const more = [
    lastId === undefined ? '' : idsInWords([lastId]),
    resumed === 0 ? '' : `resumed ${resumed} ×`,
    scope === 'main' ? '' : scope,
  ].filter((part) => part !== '');
  return (
    <>
      <span class={`dot ${now}`} aria-hidden="true" />
      <span class="what">
        <b>{inertText(title)}</b>
        {fault !== undefined && <i class="armed">{fault}</i>}
      </span>
      <span class="where">{inertText([now, ...more].join(' · '))}</span>
    </>
  );
}

function Stream({
  id,
  history,
  facts,
  faults,
  send,
  live,
}: {
  readonly id: string;
  readonly history: HistoryView;
  readonly facts: number;
  readonly faults: readonly FaultChoice[];
  readonly live: LiveState;
  send(message: FromPage): void;
}) {
  const state = useMemo(() => streamState(history, id), [history, id, facts]);
  const picture = useMemo(() => pictureOfExchanges(history, history.exchangesOf(id)), [history, id, facts]);
  return (
    <div class="stream">
      <header>
        <h3 class="title">
          {inertText(state.title)} <span class="outcome">{state.now}</span>
        </h3>
        <p class="of">
          {inertText(
            `${id} · scope ${state.scope}${state.session === undefined ? '' : ` · session ${state.session}`}`,
          )}
        </p>
      </header>
      {live.state === 'running' && (
        <Inject state={state} id={id} faults={faults} send={send} said={live.said} />
      )}
      <Diagram picture={picture} label={`The stream so far: ${state.title}`} />
    </div>
  );
}

/** The last choice is kept, so that one click does it again elsewhere. */
let lastFault = 'drop-stream';

function Inject({
  state,
  id,
  faults,
  send,
  said,
}: {
  readonly state: StreamState;
  readonly id: string;
  readonly faults: readonly FaultChoice[];
  readonly said: LiveState['said'];
  send(message: FromPage): void;
}) {
  const [fault, setFault] = useState(lastFault);
  const choose = (name: string): void => {
    lastFault = name;
    setFault(name);
  };
  const chosen = faults.find(({ name }) => name === fault);
  const fits = chosen !== undefined && !chosen.early && chosen.channels.includes(state.born);
  const over = state.now === 'ended' || state.fault !== undefined;
  return (
    <form class="inject" onSubmit={(event) => event.preventDefault()}>
      <label>
        <span>Fault</span>
        <select value={fault} onChange={(event) => choose(event.currentTarget.value)}>
          <optgroup label="Faults">
            {faults
              .filter(({ control }) => !control)
              .map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </optgroup>
          <optgroup label="Controls: a correct client survives them">
            {faults
              .filter(({ control }) => control)
              .map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
          </optgroup>
        </select>
      </label>
      <button
        type="button"
        class="chaos"
        disabled={!fits || over}
        onClick={() => send({ type: 'inject', fault, target: { stream: id } })}
      >
        Inject into this stream
      </button>
      <button type="button" onClick={() => send({ type: 'inject', fault, target: { scope: state.scope } })}>
        Into the next call of scope {inertText(state.scope)}
      </button>
      <p class="hint">{chosen?.summary}</p>
      <p role="status" class={`status ${said?.ok === false ? 'bad' : ''}`}>
        {said === undefined ? '' : inertText(said.text)}
      </p>
    </form>
  );
}
