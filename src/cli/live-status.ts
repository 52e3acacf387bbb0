/**
 * Progress while a run goes on, for people who watch.
 *
 * The wrapped command owns the screen: it may move the cursor, and a line of ours between its lines would
 * tear its output. So the figures go into the terminal's title, which no output can tear. A stand-alone
 * proxy has the screen to itself and shows them in a line that it redraws.
 */
import type { Fact } from '../history/fact.ts';
import { plural } from '../report/lines.ts';

export interface LiveStatus {
  observe(fact: Fact): void;
  /** Removes what was shown. */
  stop(): void;
}

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const everyMs = 250;
const esc = '\u001b';
/** XTWINOPS 22 and 23: the title before ours is kept on a stack. */
const title = {
  begin: `${esc}[22;2t`,
  show: (text: string) => `${esc}]2;${text}${esc}\\`,
  end: `${esc}[23;2t`,
};
const line = { begin: '', show: (text: string) => `\r${esc}[2K${text}`, end: `\r${esc}[2K` };

/** Shows nothing where `screen` is not a terminal that understands escape sequences. */
export function liveStatus(screen: Screen, where: 'title' | 'line'): LiveStatus {
  if (screen.isTTY !== true || process.env.TERM === 'dumb') return { observe: () => {}, stop: () => {} };
  const form = where === 'title' ? title : line;
  const counts = countFacts();
  let shown = '';
  let stopped = false;
  screen.write(form.begin);
  const timer = setInterval(() => {
    const text = counts.text();
    if (text !== shown) screen.write(form.show(text));
    shown = text;
  }, everyMs);
  timer.unref();
  return {
    observe: counts.observe,
    stop: () => {
      clearInterval(timer);
      if (!stopped) screen.write(form.end);
      stopped = true;
    },
  };
}

/** Counts, never judges: a verdict needs the whole history. */
export function countFacts(): { observe(fact: Fact): void; text(): string } {
  let requests = 0;
  let streams = 0;
  let resumed = 0;
  const armed = new Set<string>();
  const applied = new Set<string>();
  return {
    observe(fact) {
      if (fact.kind === 'request' && fact.mcp) requests += 1;
      else if (fact.kind === 'stream-opened') streams += 1;
      else if (fact.kind === 'stream-resumed') resumed += 1;
      else if (fact.kind === 'decision') armed.add(fact.id);
      else if (fact.kind === 'applied' && !fact.prelude) applied.add(fact.decision);
    },
    text: () =>
      `mcp-chaos: ${plural(requests, 'request')}, ${plural(streams, 'stream')}, ${resumed} resumed; ${applied.size} of ${plural(armed.size, 'fault')} applied`,
  };
}
