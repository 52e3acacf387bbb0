/** What the picture says, read as a person with a screen reader would: sentence by sentence. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeJournal } from '../../src/history/codec.ts';
import type { Fact, FactBody } from '../../src/history/fact.ts';
import { viewHistory } from '../../src/report/picture/history-view.ts';
import { keptFacts } from '../../src/report/picture/kept-facts.ts';
import { pictureOf, pictureOfExchanges } from '../../src/report/picture/picture.ts';
import type { Step } from '../../src/report/picture/step.ts';
import { judge } from '../../src/watcher/judge.ts';

const stored = (name: string): readonly Fact[] =>
  decodeJournal(readFileSync(new URL(`../journals/${name}.ndjson`, import.meta.url), 'utf8')).facts;

function picture(facts: readonly Fact[], wanted: string): readonly Step[] {
  const finding = judge(facts).findings.find(({ fault, outcome }) => `${fault} ${outcome}` === wanted);
  if (finding === undefined) throw new Error(`no finding "${wanted}" in the journal`);
  return pictureOf(viewHistory(facts), finding).steps;
}

const sentences = (steps: readonly Step[]): string => steps.map(({ sentence }) => sentence).join('\n');

describe("the first seed's story, from the journal of a real run", () => {
  const steps = picture(stored('first-seed'), 'regress-cursor timed-out');

  test('is told in order: call, last event, drop, resumption, regression, timeout, giving up', () => {
    const told = sentences(steps);
    const order = [
      'Client sent tools/call count, id 1',
      'client was shown id 8412, progress 1 of 4',
      'the answer to id 1; the client was never shown it.',
      'The stream was closed (FIN), by mcp-chaos.',
      'Client sent GET, resume after id 8412',
      "The ids go back here: the client's last id was 8412, the first after its resumption is 17.",
      'Client was shown id 17',
      "The client's own timeout of 2.0 s is over.",
      'Client sent the cancellation of id 1',
    ].map((part) => told.indexOf(part));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test('says what was due in the place of what was shown', () => {
    const shown = steps.find(({ left }) => left?.id === '17');
    expect(shown?.instead).toMatch(/^due here: id \d+$/);
    expect(sentences(steps)).toMatch(
      /What a coherent resumption would have delivered: 4 events, .* with the answer\./,
    );
  });

  test('what never reached the client stops in the middle', () => {
    const lost = steps.filter(({ tone }) => tone === 'lost');
    expect(lost).toHaveLength(4);
    for (const { left, right } of lost) {
      expect(left).toBeUndefined();
      expect(right?.stops).toBe(true);
    }
  });

  test('marks what the finding rests on, and carries the bytes', () => {
    const evidence = steps.filter((step) => step.evidence);
    expect(evidence.length).toBeGreaterThanOrEqual(4);
    const frame = steps.find(({ left }) => left?.id === '8412')!;
    expect(frame.raw.map(({ title }) => title)).toEqual(['from the server', 'as the client was shown it']);
    expect(frame.raw[1]!.text).toMatch(/^event: message\nid: 8412\ndata: /);
  });

  test('silences have their length, and time never goes back', () => {
    expect(steps.filter(({ kind }) => kind === 'pause').map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^1\.\d s$/),
    );
    const times = steps.map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

test('every finding of a run under many faults has a picture that begins with a request and has its evidence', () => {
  const facts = stored('desync');
  const view = viewHistory(facts);
  const { findings } = judge(facts);
  expect(findings.length).toBeGreaterThan(4);
  for (const finding of findings) {
    const { steps } = pictureOf(view, finding);
    expect(steps[0]?.kind, finding.id).toBe('request');
    expect(
      steps.some(({ evidence }) => evidence),
      `${finding.id} ${finding.fault}`,
    ).toBe(true);
    for (const { sentence } of steps) expect(sentence).toMatch(/^\S.*\.$/s);
  }
});

test('a session that was replaced is an epoch boundary across the lanes', () => {
  const facts = stored('restart');
  const steps = picture(facts, 'restart-session timed-out');
  const boundary = steps.findIndex(({ kind }) => kind === 'epoch');
  expect(steps[boundary]).toMatchObject({
    text: 'epoch 2: another session behind the same id',
    tone: 'break',
    sentence: "Epoch 2 begins: the server's session was replaced behind the id that the client holds.",
  });
  expect(sentences(steps.slice(boundary))).toContain('the answer to id 2; the client was never shown it.');
});

describe('a long stream', () => {
  const facts = longStream(400);

  test('is folded, and says how much of it', () => {
    const { steps } = pictureOfExchanges(viewHistory(facts), [1]);
    expect(steps.length).toBeLessThan(12);
    expect(sentences(steps)).toContain('396 more of the kind, ids 2 to 397.');
  });

  test('is drawn from a history that is looked into only where it must be', () => {
    const view = viewHistory(facts);
    expect([...view.streams()]).toEqual(['stream-1']);
    expect(view.fact(7)?.seq).toBe(7);
    expect(viewHistory(facts.filter(({ seq }) => seq !== 3)).fact(7)?.seq).toBe(7);
    expect(view.fact(100_000)).toBeUndefined();
  });
});

test('a finding whose exchange is not in the history has no picture', () => {
  const facts = stored('first-seed');
  const [finding] = judge(facts).findings;
  expect(pictureOf(viewHistory([]), finding!).steps).toEqual([]);
});

describe('a history that is too long for a page', () => {
  const facts = stored('desync');
  const { findings } = judge(facts);

  test('keeps what findings are about, the first ones first, and every picture of them', () => {
    const few = keptFacts(facts, findings, 130);
    expect(few.length).toBeLessThanOrEqual(130);
    expect(few.length).toBeGreaterThan(40);
    const steps = (of: readonly Fact[]): readonly string[] =>
      pictureOf(viewHistory(of), findings[0]!)
        .steps.filter(({ tone }) => tone !== 'quiet')
        .map(({ sentence }) => sentence);
    expect(steps(few)).toEqual(steps(facts));
  });

  test('one that is not is kept whole', () => {
    expect(keptFacts(facts, findings)).toBe(facts);
  });
});

/** One call with this many progress events, the same on both sides. */
function longStream(events: number): readonly Fact[] {
  const bodies: FactBody[] = [
    {
      kind: 'request',
      exchange: 1,
      connection: 1,
      upstream: 'embedded',
      scope: 'main',
      lane: 's1',
      verb: 'POST',
      path: '/mcp',
      headers: {},
      mcp: true,
    },
    { kind: 'stream-opened', stream: 'stream-1', exchange: 1, born: 'POST' },
    {
      kind: 'head',
      exchange: 1,
      side: 'both',
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
    },
    ...Array.from({ length: events }, (_, id): FactBody => {
      const data = JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: 1, progress: id },
      });
      return { kind: 'bytes', exchange: 1, side: 'both', body: { text: `id: ${id}\ndata: ${data}\n\n` } };
    }),
  ];
  return bodies.map((body, index) => ({ ...body, seq: index + 1, at: index }) as Fact);
}
