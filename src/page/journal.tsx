/** Every fact of the journal in its order, for whoever wants to see what lies between. */
import { useMemo, useState } from 'preact/hooks';
import type { Fact } from '../history/fact.ts';
import { inertText } from '../report/inert.ts';
import { plural } from '../report/lines.ts';
import type { HistoryView } from '../report/picture/history-view.ts';
import { Raw } from './raw.tsx';
import { VirtualList } from './virtual-list.tsx';

export function Journal({
  history,
  facts: count,
  leftOut,
}: {
  readonly history: HistoryView;
  readonly facts: number;
  /** Facts that the page does not hold. */
  readonly leftOut: number;
}) {
  const [text, setText] = useState('');
  const [active, setActive] = useState(-1);
  const facts = useMemo(
    () =>
      text === ''
        ? history.facts
        : history.facts.filter((fact) => summary(fact).includes(text) || JSON.stringify(fact).includes(text)),
    [history, text, count],
  );
  const fact = facts[active];
  return (
    <section class="journal" aria-labelledby="journal-title">
      <h2 id="journal-title">
        Journal{' '}
        <span class="count">
          {facts.length === count ? plural(count, 'fact') : `${facts.length} of ${plural(count, 'fact')}`}
        </span>
      </h2>
      {leftOut > 0 && (
        <p class="hint">
          The journal is too long for a page: {plural(leftOut, 'fact')} of exchanges that no finding is about
          are left out.
        </p>
      )}
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          <span>Text in a fact</span>
          <input
            type="search"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setActive(-1);
            }}
          />
        </label>
      </form>
      <div class="panes">
        <VirtualList
          id="fact"
          label="Facts, in the order in which they were recorded"
          count={facts.length}
          rowHeight={28}
          active={active}
          onActive={setActive}
          row={(index) => <Row fact={facts[index]!} />}
        />
        {fact === undefined ? (
          <p class="hint">Choose a fact to see all of it.</p>
        ) : (
          <Raw title={`${fact.seq} ${fact.kind}`} text={JSON.stringify(fact, null, 2)} />
        )}
      </div>
    </section>
  );
}

function Row({ fact }: { readonly fact: Fact }) {
  return (
    <>
      <span class="seq">{fact.seq}</span>
      <span class="at">{(fact.at / 1000).toFixed(3)}</span>
      <span class="kind">{fact.kind}</span>
      <span class="summary">{inertText(summary(fact))}</span>
    </>
  );
}

function summary(fact: Fact): string {
  const side = 'side' in fact && fact.side !== 'both' ? ` ${fact.side} side` : '';
  const exchange = 'exchange' in fact && fact.exchange !== undefined ? `#${fact.exchange}${side} ` : '';
  return exchange + detail(fact);
}

function detail(fact: Fact): string {
  switch (fact.kind) {
    case 'request':
      return `${fact.verb} ${fact.path}${fact.cursor === undefined ? '' : ` after id ${fact.cursor}`}, scope ${fact.scope}`;
    case 'request-body':
    case 'bytes':
      return ('text' in fact.body ? fact.body.text : `${fact.body.base64.length} characters of base64`).slice(
        0,
        200,
      );
    case 'head':
      return String(fact.status);
    case 'end':
      return `${fact.how}, by ${fact.by}`;
    case 'stream-opened':
      return fact.stream;
    case 'stream-resumed':
      return `${fact.stream}, attempt ${fact.attempt}, from ${fact.from}`;
    case 'decision':
      return `${fact.fault} ${fact.id}`;
    case 'applied':
      return `${fact.decision} at the ${fact.seam}: ${fact.effects}`;
    case 'not-applicable':
      return fact.why;
    case 'session-restarted':
      return `${fact.lane}, epoch ${fact.epoch}`;
    case 'deadline-elapsed':
      return `since ${fact.since}`;
    case 'mark':
      return `${fact.name ?? fact.tool ?? ''} ${fact.phase}`;
    case 'run-started':
      return `${fact.profile}, seed ${fact.seed}`;
    case 'child-exited':
      return fact.signal ?? `code ${fact.code}`;
    case 'run-ended':
      return fact.reason;
    default:
      return '';
  }
}
