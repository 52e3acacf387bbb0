/** The page's end of the feed: takes facts in, keeps the latest report, sends what a person wants injected. */

import type { FromPage, LiveStart, ToPage } from '../report/live-data.ts';
import type { PageData } from '../report/page-data.ts';
import { createHistoryView, type GrowingHistoryView } from '../report/picture/history-view.ts';
import { inertData } from './inert-data.ts';

export interface LiveState {
  readonly data: PageData | undefined;
  readonly history: GrowingHistoryView;
  /** How many facts there are: the history grows in place. */
  readonly facts: number;
  readonly state: 'connecting' | 'running' | 'ended' | 'lost';
  readonly said: { readonly text: string; readonly ok: boolean } | undefined;
}

export interface Feed {
  send(message: FromPage): void;
}

/** Calls `show` at most once a frame, with all that came in meanwhile. */
export function openFeed(start: LiveStart, show: (state: LiveState) => void): Feed {
  const socket = new WebSocket(start.socket);
  const history = createHistoryView();
  let state: LiveState = { data: undefined, history, facts: 0, state: 'connecting', said: undefined };
  let drawn = true;
  const change = (part: Partial<LiveState>): void => {
    state = { ...state, ...part };
    if (!drawn) return;
    drawn = false;
    requestAnimationFrame(() => {
      drawn = true;
      show(state);
    });
  };

  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as ToPage;
    if (message.type === 'facts') {
      for (const fact of message.facts) history.add(fact);
      change({ facts: history.facts.length, ...(state.state === 'connecting' ? { state: 'running' } : {}) });
    } else if (message.type === 'report') {
      change({ data: inertData(message.data), ...(message.ended ? { state: 'ended' } : {}) });
    } else change({ said: { text: message.said, ok: message.ok } });
  });
  socket.addEventListener('close', () => {
    if (state.state !== 'ended') change({ state: 'lost' });
  });
  return {
    send: (message) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
      else change({ said: { text: 'Not injected: the run is over.', ok: false } });
    },
  };
}
